import { createRoot } from 'react-dom/client'
import { takeKey } from './api/key.ts'
import { App } from './views/app.tsx'
import { locale } from './i18n/text.ts'
import './style/base.css'
import './style/layout.css'
import './style/parts.css'

takeKey()
document.documentElement.lang = locale
const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)

import { useEffect, useState } from 'react'
import { answer, client } from '../api/client.ts'
import { currentKey, keepKey } from '../api/key.ts'
import { Refused } from '../api/refused.ts'
import { t } from '../i18n/text.ts'
import { Console } from './console.tsx'
import { Enter } from './enter.tsx'

type Door = 'checking' | 'closed' | 'wrong' | 'open'

/** The page: a form for the key until the server lets in, then the console. */
export function App () {
  const [door, setDoor] = useState<Door>('checking')
  useEffect(() => { void knock().then(setDoor) }, [])
  switch (door) {
    case 'checking': return <main className='enter' aria-busy='true'><p className='quiet'>{t('enterChecking')}</p></main>
    case 'open': return <Console onRefused={() => { setDoor('wrong') }} onLeave={() => { keepKey(null); setDoor('closed') }} />
    case 'closed': case 'wrong': return (
      <Enter
        wrong={door === 'wrong'} onKey={async (key) => {
          keepKey(key)
          setDoor(await knock())
        }}
      />
    )
    default: return door satisfies never
  }
}

/** A server that cannot be reached does not make the key wrong: the console says so and tries again. */
async function knock (): Promise<Door> {
  try {
    await answer(client.GET('/sessions', { params: { query: { limit: 1 } } }))
    return 'open'
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) return 'open'
    const had = currentKey() !== null
    keepKey(null)
    return had ? 'wrong' : 'closed'
  }
}

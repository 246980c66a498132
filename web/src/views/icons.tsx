import type { ReactNode } from 'react'

function Icon ({ children }: { children: ReactNode }) {
  return <svg className='icon' viewBox='0 0 20 20' aria-hidden='true' focusable='false'>{children}</svg>
}

export const Mark = () => <Icon><path d='M4 3v14M16 3v14M4 10l6-4v8zM16 10l-6-4v8z' /></Icon>
export const Plus = () => <Icon><path d='M10 4v12M4 10h12' /></Icon>
export const Back = () => <Icon><path d='M12 4l-6 6 6 6' /></Icon>
export const Bell = () => <Icon><path d='M5 14V9a5 5 0 0110 0v5l1.5 1.5h-13zM8.5 17.5h3' /></Icon>
export const Pencil = () => <Icon><path d='M4 16l.8-3.5L13 4.3l2.7 2.7-8.2 8.2z' /></Icon>
export const Bin = () => <Icon><path d='M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6' /></Icon>
export const Door = () => <Icon><path d='M11 4H5v12h6M9 10h8M14 7l3 3-3 3' /></Icon>
export const Send = () => <Icon><path d='M10 16V4M5 9l5-5 5 5' /></Icon>
export const Square = () => <Icon><path d='M6 6h8v8H6z' /></Icon>
export const Down = () => <Icon><path d='M10 4v12M5 11l5 5 5-5' /></Icon>
export const Folder = () => <Icon><path d='M3 5h5l2 2h7v9H3z' /></Icon>
export const File = () => <Icon><path d='M6 3h6l3 3v11H6zM12 3v3h3' /></Icon>
export const Warning = () => <Icon><path d='M10 3l8 14H2zM10 8v4M10 14.5v.5' /></Icon>

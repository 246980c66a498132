import { useRef } from 'react'

interface PickFilesProps { text: string, several?: boolean, accept?: string, onFiles: (files: readonly File[]) => void }

/** A button that asks the person for files. */
export function PickFiles ({ text, several = false, accept, onFiles }: PickFilesProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type='button' onClick={() => input.current?.click()}>{text}</button>
      <input
        ref={input} type='file' hidden multiple={several} accept={accept} onChange={(event) => {
          const files = [...event.target.files ?? []]
          event.target.value = '' // the same file may be chosen again
          onFiles(files)
        }}
      />
    </>
  )
}

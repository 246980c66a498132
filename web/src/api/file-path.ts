/** The path of a file or folder of a workspace, below the API. */
export function filePath (sessionId: string, path: string): string {
  return `/sessions/${encodeURIComponent(sessionId)}/files/${path.split('/').map(encodeURIComponent).join('/')}`
}

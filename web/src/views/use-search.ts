import { useEffect, useState } from 'react'
import type { Board } from '../log/board.ts'

const foundEnough = 50
const pagesMax = 50 // 10,000 sessions; who wants more asks for more
const typingMs = 200

/**
 * Looks for `wanted` beyond the sessions that are there, page by page, until enough are found.
 * @returns whether it is looking, and how to have it look further
 */
export function useSearch (board: Board, wanted: string, found: number, hasMore: boolean): { searching: boolean, further: () => void } {
  const [walk, setWalk] = useState({ wanted, pages: 0, enough: foundEnough })
  const { pages, enough } = walk.wanted === wanted ? walk : { pages: 0, enough: foundEnough }
  const searching = wanted !== '' && hasMore && found < enough && pages < pagesMax
  useEffect(() => {
    if (!searching) return
    const timer = setTimeout(() => {
      board.more().then(() => { setWalk({ wanted, pages: pages + 1, enough }) }, () => { setWalk({ wanted, pages: pagesMax, enough }) })
    }, pages === 0 ? typingMs : 0)
    return () => { clearTimeout(timer) }
  }, [board, searching, wanted, pages, enough])
  return { searching, further: () => { setWalk({ wanted, pages: 0, enough: found + foundEnough }) } }
}

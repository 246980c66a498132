import { deleteFile } from './delete-file.ts'
import { editFile } from './edit-file.ts'
import { listDir } from './list-dir.ts'
import { moveFile } from './move-file.ts'
import { readFile } from './read-file.ts'
import type { Tool } from './tool.ts'
import { writeFile } from './write-file.ts'

/** The tools for files, in the order in which a model is told of them. */
export const fileTools: readonly Tool[] = [readFile, listDir, writeFile, editFile, moveFile, deleteFile]

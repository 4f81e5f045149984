import type { Attempt } from './attempt.ts'

/** In the file store. */
export const exportFolder = 'exports'

const attemptFile = /^exports\/\d+-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\./

/** Of one attempt alone, so that two of them never write the same file. */
export function attemptFileName({
  id,
  attemptId,
  format,
}: Pick<Attempt, 'id' | 'attemptId' | 'format'>): string {
  return `${filesOf(id)}${attemptId}.${format}`
}

const filesOf = (id: number) => `${exportFolder}/${id}-`

/** Whether a file, or a part of a file, is that of any attempt at an export. */
export function isFileOf(id: number, fileName: string): boolean {
  return fileName.startsWith(filesOf(id))
}

/** Which attempt a file is of, or a part of a file; null: of none. */
export function attemptOf(fileName: string): string | null {
  return attemptFile.exec(fileName)?.[1] ?? null
}

/** What a customer's file is called: which export it is, and of which day. */
export function downloadName(id: number, completedAt: Date, format: string): string {
  return `baize-export-${id}-${completedAt.toISOString().slice(0, 10)}.${format}`
}

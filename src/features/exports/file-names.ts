import type { Attempt } from './attempt.ts'

export const exportFolder = 'exports'

const attemptFile = /^exports\/\d+-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\./

/** A file per attempt, so that two attempts never write the same one. */
export function attemptFileName({
  id,
  attemptId,
  format,
}: Pick<Attempt, 'id' | 'attemptId' | 'format'>): string {
  return `${filesOf(id)}${attemptId}.${format}`
}

const filesOf = (id: number) => `${exportFolder}/${id}-`

/** Matches partial files too. */
export function isFileOf(id: number, fileName: string): boolean {
  return fileName.startsWith(filesOf(id))
}

/** null: not a file of an attempt, complete or partial. */
export function attemptOf(fileName: string): string | null {
  return attemptFile.exec(fileName)?.[1] ?? null
}

export function downloadName(id: number, completedAt: Date, format: string): string {
  return `baize-export-${id}-${completedAt.toISOString().slice(0, 10)}.${format}`
}

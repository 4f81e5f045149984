/** Finds signs of a broken download in the bytes of a snapshot's files. */
import type { Stream } from '@baize/registers'
import { isDoubled, isProperPrefix } from '@baize/registers/guard'
import { openingOf, type SourceFile } from '@baize/tables'
import type { Database } from '../../database/open.ts'
import { openStoredFile } from '../../journal/index.ts'
import type { RawFile } from '../snapshot/raw-file.ts'

type FilesToCheck = {
  stream: Stream
  files: readonly RawFile[]
  /** The sources in the order of `files`. */
  sources: readonly SourceFile[]
  /** The files of the last applied snapshot; null for a baseline. */
  lastFiles: readonly RawFile[] | null
}

/** Returns the reasons to quarantine the snapshot. */
export async function reasonsOfBrokenFiles(
  database: Database,
  { stream, files, sources, lastFiles }: FilesToCheck,
): Promise<string[]> {
  const reasons: string[] = []
  const lastEndedLines = (lastFiles ?? []).length > 0 && lastFiles?.every(file => file.ends_line) === true
  for (const [index, file] of files.entries()) {
    const source = sources[index] as SourceFile
    if (await isBeginningOfLast(database, file, source, lastFiles ?? []))
      reasons.push(`"${file.name}" is the beginning of the last snapshot's file: it may be cut off`)
    if (await isDoubled(source, file.bytes))
      reasons.push(`"${file.name}" contains everything twice: its second half repeats the first`)
    if (file.ends_line || !(await consistsOfLines(source))) continue
    if (lastEndedLines)
      reasons.push(`"${file.name}" ends inside a line, unlike the last snapshot's file: it may be cut off`)
    else if (lastFiles === null && stream.endsWithLineBreak)
      reasons.push(
        `"${file.name}" ends inside a line, unlike other files of ${stream.key}: it may be cut off`,
      )
  }
  return reasons
}

async function isBeginningOfLast(
  database: Database,
  file: RawFile,
  source: SourceFile,
  lastFiles: readonly RawFile[],
): Promise<boolean> {
  if (file.bytes === 0 || lastFiles.some(last => last.sha256 === file.sha256)) return false
  for (const last of lastFiles) {
    if (file.bytes >= last.bytes) continue
    const whole = openStoredFile(database, Buffer.from(last.sha256, 'hex'))
    if (await isProperPrefix(source, whole)) return true
  }
  return false
}

/** Returns whether the end of a file alone does not prove that it is whole. */
export async function someConsistsOfLines(sources: readonly SourceFile[]): Promise<boolean> {
  for (const source of sources) if (await consistsOfLines(source)) return true
  return false
}

/** Returns false for XML, HTML, JSON, workbooks and PDFs, whose parsers refuse a file without its end. */
async function consistsOfLines(source: SourceFile): Promise<boolean> {
  return !/^(?:[<[{]|PK|%PDF)/.test(await openingOf(source, 4))
}

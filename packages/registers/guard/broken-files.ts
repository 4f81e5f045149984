/** Finds signs of a broken download in the bytes of a snapshot's files. */

import { openingOf, type SourceFile } from '@baize/tables'
import type { Stream } from '../stream.ts'
import { isDoubled, isProperPrefix } from './compare-bytes.ts'

/** A raw file of a snapshot. `sha256` identifies its content. */
export type RawFile = { name: string; sha256: string; bytes: number; ends_line: boolean }

type Files = {
  files: readonly RawFile[]
  /** The sources in the order of `files`. */
  sources: readonly SourceFile[]
}

type FilesToCheck = Files & {
  stream: Stream
  /** The files of the last applied snapshot; null for a baseline. */
  last: Files | null
}

/** Returns the reasons to quarantine the snapshot. */
export async function reasonsOfBrokenFiles({
  stream,
  files,
  sources,
  last,
}: FilesToCheck): Promise<string[]> {
  const reasons: string[] = []
  const lastEndedLines = last !== null && last.files.length > 0 && last.files.every(file => file.ends_line)
  for (const [index, file] of files.entries()) {
    const source = sources[index] as SourceFile
    if (last !== null && (await isBeginningOfLast(file, source, last)))
      reasons.push(`"${file.name}" is the beginning of the last snapshot's file: it may be cut off`)
    if (await isDoubled(source, file.bytes))
      reasons.push(`"${file.name}" contains everything twice: its second half repeats the first`)
    if (file.ends_line || !(await consistsOfLines(source))) continue
    if (lastEndedLines)
      reasons.push(`"${file.name}" ends inside a line, unlike the last snapshot's file: it may be cut off`)
    else if (last === null && stream.endsWithLineBreak)
      reasons.push(
        `"${file.name}" ends inside a line, unlike other files of ${stream.key}: it may be cut off`,
      )
  }
  return reasons
}

async function isBeginningOfLast(
  file: RawFile,
  source: SourceFile,
  { files, sources }: Files,
): Promise<boolean> {
  if (file.bytes === 0 || files.some(each => each.sha256 === file.sha256)) return false
  for (const [index, each] of files.entries())
    if (file.bytes < each.bytes && (await isProperPrefix(source, (sources[index] as SourceFile).open())))
      return true
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

import { Refusal, type SourceFile } from '../source/source-file.ts'
import { compileSearch, matchLines } from './line-pattern.ts'
import { ZipArchive, zipKind } from './zip-archive.ts'

const shownNamesMax = 20

/** Returns the one file of a zip archive whose name matches. It is unpacked in pieces, within a limit. */
export async function unzip(file: SourceFile, pattern: string): Promise<SourceFile> {
  const archive = await ZipArchive.open(file, zipKind)
  const { names } = archive
  const compiled = compileSearch(pattern)
  const matches = compiled.ok ? matchLines(compiled.value, names) : compiled
  if (!matches.ok) throw new Refusal(`file.zip cannot be used: ${matches.reason}`)
  const [name, ...others] = names.filter((_, index) => matches.value[index] !== null)
  if (name === undefined || others.length > 0) {
    const found = names.slice(0, shownNamesMax).join(' | ').slice(0, 400) || 'no file'
    archive.refuse(`must have one file that matches /${pattern}/, found [${found}]`)
  }
  return { name: `${file.name}/${name}`, open: () => archive.pieces(name as string) }
}

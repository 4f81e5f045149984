import { Refusal, type SourceFile } from '../stream.ts'

export function onlyFile(files: readonly SourceFile[]): SourceFile {
  const [file] = files
  if (file === undefined || files.length > 1) throw new Refusal(`expected one file, found ${files.length}`)
  return file
}

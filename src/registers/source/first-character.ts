import type { SourceFile } from '../stream.ts'

/** The first characters behind white space: `<`, `{`, `%PDF` and `PK` distinguish formats from rows. */
export async function openingOf(file: SourceFile, characters: number): Promise<string> {
  const decoder = new TextDecoder('utf-8')
  let opening = ''
  for await (const chunk of file.open()) {
    opening = (opening + decoder.decode(chunk, { stream: true })).trimStart()
    if (opening.length >= characters) break
  }
  return opening.slice(0, characters)
}

export const firstCharacter = (file: SourceFile) => openingOf(file, 1)

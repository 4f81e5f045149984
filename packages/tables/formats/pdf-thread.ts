/** The code of a worker thread that reads the text of PDFs, one document after the other. */
import { answerTasks } from '@baize/threads/body'
import { joinFragments, type PageLine, type TextFragment } from './join-fragments.ts'

export type PdfTask = { bytes: Uint8Array; pagesMax: number; piecesMax: number }
/** Each page has a list of lines. */
export type PdfAnswer = { ok: true; pages: PageLine[][] } | { ok: false; problem: string }

// Silences the library's warning that it cannot draw, because reading text needs no drawing.
console.log = () => {}
console.warn = () => {}
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')

answerTasks(answerTo)

async function answerTo({ bytes, pagesMax, piecesMax }: PdfTask): Promise<PdfAnswer> {
  // Without addresses of fonts, character maps and decoders the library opens nothing else. Version 6 has
  // no `isEvalSupported`, because it evaluates no code of a document; `useWasm` compiles its functions.
  const loading = getDocument({
    data: bytes,
    useWasm: false,
    enableXfa: false,
    stopAtErrors: true,
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: 0,
    verbosity: 0,
  })
  try {
    const document = await loading.promise
    if (document.numPages > pagesMax)
      return { ok: false, problem: `has ${document.numPages} pages; at most ${pagesMax} are accepted` }
    const pages: PageLine[][] = []
    let piecesLeft = piecesMax
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number)
      const { items } = await page.getTextContent()
      piecesLeft -= items.length
      if (piecesLeft < 0) return { ok: false, problem: `has more than ${piecesMax} pieces of text` }
      pages.push(joinFragments(items.flatMap(pieceOf)))
      page.cleanup()
    }
    return { ok: true, pages }
  } catch (error) {
    return { ok: false, problem: problemOf(error) }
  } finally {
    await loading.destroy()
  }
}

type Item = Awaited<
  ReturnType<
    Awaited<ReturnType<Awaited<ReturnType<typeof getDocument>['promise']>['getPage']>>['getTextContent']
  >
>['items'][number]

function pieceOf(item: Item): TextFragment[] {
  if (!('str' in item) || item.str.trim() === '') return []
  const [, , , , left = 0, base = 0] = item.transform as number[]
  const text = item.str.replaceAll(/\s+/g, ' ')
  return [{ text: text.trim(), left, right: left + item.width, base, height: item.height || 1 }]
}

function problemOf(error: unknown): string {
  return (error as { name?: unknown }).name === 'PasswordException'
    ? 'is protected by a password'
    : 'is not a readable PDF: it is damaged, or no PDF'
}

import { expect, test } from 'vitest'
import { pdfFont, pdfOfObjects, pdfStream, pdfTable } from '../test/make-files.ts'
import { read } from '../test/read.ts'

const description = {
  file: { format: 'pdf', pattern: String.raw`(?<site>\S+)` },
  columns: { site: { headers: ['site'] } },
}

/** Builds a PDF whose forms each draw the next one ten times. The last form has a text. */
function endless(levels: number): Buffer {
  const first = 5
  const resources = (index: number) =>
    `/Resources << /Font << /F1 3 0 R >> /XObject << /Next ${first + index + 1} 0 R >> >>`
  const forms = Array.from({ length: levels }, (_, index) =>
    pdfStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources(index)}`,
      index === levels - 1 ? 'BT /F1 1 Tf (otter.example) Tj ET' : '/Next Do '.repeat(10),
    ),
  )
  return pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    pdfFont,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents ${first} 0 R ${resources(0)} >>`,
    ...forms,
  ])
}

test('a PDF that would take years is refused after a minute, and the next PDF is read', async () => {
  const start = performance.now()
  await expect(read(description, endless(16))).rejects.toThrow(/takes more than 60 s or too much memory/)
  expect(performance.now() - start).toBeLessThan(240_000)
  const list = await read(description, pdfTable([['otter.example']], [60]))
  expect(list.rows).toEqual([{ site: 'otter.example' }])
})

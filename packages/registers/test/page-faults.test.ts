/** Changes the pages of all registers as regulators do. Either the same records are read, or none. */
import { fileOfBytes, Refusal, type SourceFile } from '@baize/tables'
import { expect, test } from 'vitest'
import type { Reading, Stream } from '../stream.ts'
import { streams } from '../streams.ts'
import { officialSample } from './answers/official-answers.ts'

const textOf = async (file: SourceFile) => Buffer.concat(await Array.fromAsync(file.open())).toString()

const pages = (
  await Promise.all(
    streams.map(async stream => ({ stream, texts: await Promise.all(officialSample(stream).map(textOf)) })),
  )
).filter(({ texts }) => texts.length > 0 && texts.every(text => /^\s*</.test(text) && text.includes('<html')))

/** Returns what a customer sees of a record. Keys and line numbers may differ. */
const factOf = (reading: Reading): string[] => {
  if (reading.record === 'licensee') return [`licensee ${reading.legalName}`]
  if (reading.record === 'license') return [`license ${reading.licenseNumber}`]
  if (reading.record === 'authorisation') return [`site ${reading.domain} ${reading.counts}`]
  if (reading.record === 'blocklist_entry') return [`blocked ${reading.listedAs}`]
  return []
}

/** Returns the facts of a file, or null if it is refused. */
async function factsOf(stream: Stream, texts: readonly string[]): Promise<Set<string> | null> {
  try {
    const readings = await Array.fromAsync(
      stream.read(texts.map((text, index) => fileOfBytes(`page-${index}.html`, text))),
    )
    return new Set(readings.flatMap(factOf))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

const rowPattern = /<tr([^>]*)>([\s\S]*?)<\/tr>/g
const cellPattern = /<t[dh][\s\S]*?<\/t[dh]>/g

const changeRows = (text: string, change: (cells: string[]) => string[]) =>
  text.replace(rowPattern, (row, attributes, content) => {
    const cells = content.match(cellPattern)
    return cells === null || cells.length < 2 ? row : `<tr${attributes}>${change(cells).join('')}</tr>`
  })

const inContent = (text: string, added: string) =>
  text.includes('</main>')
    ? text.replace('</main>', `${added}</main>`)
    : text.replace('</body>', `${added}</body>`)

const changes: Record<string, (text: string) => string> = {
  'a column is inserted in front': text => changeRows(text, cells => ['<td>Activo</td>', ...cells]),
  'a column is inserted behind the first': text =>
    changeRows(text, ([first = '', ...others]) => [first, '<td>12.05.2024</td>', ...others]),
  'the first two columns change places': text =>
    changeRows(text, ([first = '', second = '', ...others]) => [second, first, ...others]),
  'a title and a total stand in each table': text =>
    text
      .replaceAll(/<table([^>]*)>/g, '<table$1><tr><td colspan="9">Last updated 12 May 2024</td></tr>')
      .replaceAll('</table>', '<tr><td colspan="9">Total: 30</td></tr></table>'),
  'a sentence links another site': text =>
    inContent(text, '<p>News: <a href="https://www.harbour-gazette.example/report">a report</a></p>'),
  'a list links help for gamblers': text =>
    inContent(text, '<ul><li><a href="https://www.ncpgambling.org/help">Help</a></li></ul>'),
}

/** Checks for a change outside of the columns, after which all rows must be read. */
const isHarmless = (change: string) => !change.includes('column')

const cases = pages.flatMap(({ stream, texts }) => {
  let read: ReturnType<typeof factsOf> | undefined
  const unchanged = () => {
    read ??= factsOf(stream, texts)
    return read
  }
  return Object.entries(changes).map(([change, of]) => ({
    key: stream.key,
    change,
    stream,
    texts,
    of,
    unchanged,
  }))
})

test('the tests change pages of at least 15 registers', () => expect(pages.length).toBeGreaterThanOrEqual(15))

test.each(cases)(
  '$key: if $change, no wrong fact is read, and no fact is lost if the rows are unchanged',
  async ({ change, stream, texts, of, unchanged }) => {
    const expected = await unchanged()
    const found = await factsOf(stream, texts.map(of))
    expect(expected?.size).toBeGreaterThan(0)
    expect([...(found ?? [])].filter(fact => expected?.has(fact) !== true)).toEqual([])
    if (isHarmless(change)) expect(found).toEqual(expected)
  },
)

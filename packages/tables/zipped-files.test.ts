/** Reads files that lie in a zip archive. */
import { describe, expect, test } from 'vitest'
import { unzip } from './formats/unzip.ts'
import { fileOfBytes } from './index.ts'
import { packedParts, packedZip, sheetRows, workbook } from './test/make-files.ts'
import { readOutcome } from './test/outcome.ts'
import { problemsOf, read } from './test/read.ts'

const columns = { site: { headers: ['Site'] } }
const csv = { file: { format: 'csv', zip: 'sites\\.csv$' }, columns }
const sites = 'Site\nlucky-otter.example\ngolden-heron.example\n'
const archive = (files: Record<string, string | Uint8Array>) =>
  packedParts(new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)])))
const outcomeOf = (content: Uint8Array | string) => readOutcome(JSON.stringify(csv), content, 65_536)

describe('a file in a zip archive', () => {
  test('the file whose name matches is read, whatever else the archive has', async () => {
    const { rows } = await read(
      csv,
      archive({ 'readme.txt': 'x', 'export/2026/': '', 'export/Sites.CSV': sites }),
    )
    expect(rows).toEqual([{ site: 'lucky-otter.example' }, { site: 'golden-heron.example' }])
  })

  test('a workbook in an archive is read like a workbook', async () => {
    const description = {
      file: { format: 'xlsx', zip: '\\.xlsx$', sheet: 'Remote' },
      columns: { site: { headers: ['Site'] } },
    }
    const { rows } = await read(description, archive({ 'list.xlsx': workbook({ Remote: sheetRows() }) }))
    expect(rows).toHaveLength(20)
  })

  test.each([
    [
      'no such file',
      archive({ 'list.csv': sites }),
      /must have one file that matches .*, found \[list\.csv\]/,
    ],
    [
      'two such files',
      archive({ 'a/sites.csv': sites, 'sites.csv': sites }),
      /must have one file that matches/,
    ],
    ['no file', archive({}), /must have one file .*found \[no file\]|not a complete zip archive/],
    ['the file itself', sites, /expected a zip archive, found "Site/],
    ['a truncated archive', archive({ 'sites.csv': sites }).subarray(0, 60), /is not a complete zip archive/],
    ['a file of another form', archive({ 'sites.csv': '<html>' }), /sites\.csv"/],
  ])('an archive with %s is refused', async (_what, content, message) => {
    expect(await outcomeOf(content)).toMatch(message)
  })

  test('a file is unpacked only up to its declared size', async () => {
    const bomb = packedZip('sites.csv', Buffer.alloc(50 * 1024 * 1024, 'x'), { unpackedBytes: 1_000 })
    expect(bomb.length).toBeLessThan(100_000)
    expect(await outcomeOf(bomb)).toMatch(/has a broken part, sites\.csv/)
  })

  test('a file that unpacks to more than the limit is refused there', async () => {
    const bomb = packedZip('sites.csv', Buffer.alloc(257 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(300_000)
    const file = await unzip(fileOfBytes('sites.zip', bomb), 'csv')
    const unpacking = (async () => {
      for await (const piece of file.open()) expect(piece.length).toBeLessThan(1_000_000)
    })()
    await expect(unpacking).rejects.toThrow(/unpacks to more than 256 MiB, the limit for archives/)
  })

  test('the pattern for the name must be a regular expression', () => {
    expect(problemsOf({ ...csv, file: { format: 'csv', zip: '(' } })).toEqual([
      expect.stringMatching(/file\.zip must be a regular expression/),
    ])
  })
})

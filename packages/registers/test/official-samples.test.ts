/** Each official layout is found and read whole as its site answers it. Broken files are refused. */
import { fileOfBytes, Refusal, type SourceFile } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import { mainRecord, sampleRowsMin } from '../add-register.ts'
import { descriptions } from '../descriptions.ts'
import type { Stream } from '../stream.ts'
import { findStream, streams } from '../streams.ts'
import { officialSample } from './answers/official-answers.ts'
import { type Gathered, gather } from './gather.ts'

const countsOf = (list: Gathered) => [
  list.blocklist_entry.length,
  list.licensee.length,
  list.license.length,
  list.authorisation.length,
]

/** The expected counts for registers that code reads: entries, licensees, licenses, authorised domains. */
const expected: Readonly<Record<string, readonly number[]>> = {
  'brazil.brands': [0, 32, 32, 96],
  'czechia.blocklist': [40, 0, 0, 0],
  'denmark.operators': [0, 40, 0, 80],
  'mga.licensees': [0, 40, 40, 0],
  'ukgc.licences': [0, 40, 40, 40],
  'ukraine.licences': [0, 45, 45, 45],
  'ukraine.sites': [34, 0, 0, 6],
}

const all = streams.map(stream => [stream.key, stream] as const)
const isListed = (key: string, ofMirrors: boolean) =>
  descriptions.some(each => {
    if (each.key !== key) return false
    return 'reader' in each ? !ofMirrors : each.mirror !== undefined || each.file.format === 'hosts'
  })
/** The streams that code reads, or that have more than one form. */
const builtIn = all.filter(([key]) => isListed(key, false))

test.each(all)('the official sample of %s gives at least 30 rows of its main record', async (key, stream) => {
  const list = await gather(stream.read(officialSample(stream)))
  const counts = countsOf(list)
  expect(list[mainRecord(stream)].length).toBeGreaterThanOrEqual(sampleRowsMin)
  if (expected[key] !== undefined) expect([counts, list.reject]).toEqual([expected[key], []])
})

describe('lists without holders', () => {
  // Poland is excluded, because the key of its entries contains the time of listing.
  const lists = all.filter(([key]) => isListed(key, true) && key !== 'poland.blocklist')

  test.each(lists)(
    'a plain list of %s has the same record keys as the official file',
    async (_key, stream) => {
      const official = await gather(stream.read(officialSample(stream)))
      const rows = [...official.blocklist_entry, ...official.authorisation]
      const mirror = await gather(
        stream.read([fileOfBytes('mirror.txt', `${rows.map(row => row.published).join('\n')}\n`)]),
      )
      const keysOf = (list: Gathered) =>
        [...list.blocklist_entry, ...list.authorisation].map(row => row.recordKey)
      expect(keysOf(mirror).toSorted()).toEqual(keysOf(official).toSorted())
    },
  )
})

async function bytesOf(file: SourceFile): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(file.open()))
}

/** Returns the sample with its first file changed. */
async function broken(stream: Stream, change: (bytes: Buffer) => Uint8Array | string): Promise<SourceFile[]> {
  const [first, ...others] = officialSample(stream) as [SourceFile, ...SourceFile[]]
  return [fileOfBytes(first.name, change(await bytesOf(first))), ...others]
}

/** Returns the message of the refusal, or a summary of the readings. */
async function outcomeOf(stream: Stream, files: readonly SourceFile[]): Promise<string> {
  try {
    return `read ${countsOf(await gather(stream.read(files)))}`
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/**
 * A text cut between two rows looks whole, so only the guard's comparison with the last file can detect it.
 */
const ofLines = new Set([
  'cyprus.blocklist',
  'czechia.blocklist',
  'france.blocklist',
  'italy.blocklist',
  'lithuania.blocklist',
  'romania.blocklist',
  'ukgc.licences',
  'ukraine.sites',
])

describe('half files', () => {
  test.each(builtIn.filter(([key]) => !ofLines.has(key)))(
    'a file of %s that ends after six tenths is refused as incomplete',
    async (_key, stream) => {
      const half = await broken(stream, bytes => bytes.subarray(0, Math.floor(bytes.length * 0.6)))
      expect(await outcomeOf(stream, half)).toMatch(/incomplete|not (?:a )?(?:complete|whole)|truncated/)
    },
  )
})

const pages = {
  'a captcha':
    '<!doctype html><html><head><title>Just a moment...</title></head><body><div id="challenge"></div></body></html>',
  'a login page': '<html><body><form action="/login"><input name="user"></form></body></html>',
  nothing: '',
  'an interface that failed': '{"error":"internal"}',
  'a picture': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13),
  'UTF-16': Buffer.from('\ufefflucky-otter.example\r\n', 'utf16le'),
}

describe.each(Object.entries(pages))('%s in place of the file', (_what, content) => {
  test.each(builtIn)('a file of %s without usable content gives no record', async (_key, stream) => {
    const outcome = await outcomeOf(stream, await broken(stream, () => content))
    expect(outcome).not.toMatch(/^read (?!0,0,0,0)/)
  })
})

describe('files of other registers in the same format', () => {
  const streamOf = (key: string) => findStream(key) as Stream
  test.each([
    ['france.blocklist', 'czechia.blocklist'],
    ['czechia.blocklist', 'france.blocklist'],
    ['greece.blocklist', 'brazil.brands'],
    ['sweden.sites', 'australia.blocklist'],
    ['brazil.brands', 'greece.blocklist'],
    ['romania.sites', 'denmark.operators'],
    ['denmark.operators', 'romania.sites'],
    ['spain.sites', 'netherlands.sites'],
    ['netherlands.sites', 'ontario.sites'],
    ['ontario.sites', 'us_pennsylvania.sites'],
    ['us_pennsylvania.sites', 'spain.sites'],
    ['mga.licensees', 'netherlands.sites'],
    ['us_new_jersey.sites', 'ontario.sites'],
    ['us_michigan.sites', 'greece.blocklist'],
  ])('the stream %s refuses the file of %s', async (key, other) => {
    const [file] = officialSample(streamOf(other)) as [SourceFile]
    expect(await outcomeOf(streamOf(key), [file])).toMatch(/expected/)
  })
})

/** Each official layout, as its site answers it, is found and read whole; broken ones are refused. */
import { describe, expect, test } from 'vitest'
import { layoutChanges } from '../official/layout-changes.ts'
import { fileOfBytes } from '../source/file-of-bytes.ts'
import { unknownColumnNotice } from '../source/readings.ts'
import { Refusal, type SourceFile, type Stream } from '../stream.ts'
import { type Gathered, gather } from './fixture.ts'
import { findStream, streams } from './index.ts'
import { officialSample } from './official-sample.ts'

const countsOf = (list: Gathered) => [
  list.blocklist_entry.length,
  list.licensee.length,
  list.license.length,
  list.authorisation.length,
]

/** Entries, licensees, licenses, authorised domains. */
const expected: Readonly<Record<string, readonly number[]>> = {
  'australia.blocklist': [60, 0, 0, 0],
  'belgium.blocklist': [60, 0, 0, 0],
  'brazil.brands': [0, 32, 32, 96],
  'czechia.blocklist': [40, 0, 0, 0],
  'denmark.operators': [0, 40, 0, 80],
  'estonia.blocklist': [60, 0, 0, 0],
  'france.blocklist': [120, 0, 0, 0],
  'greece.blocklist': [60, 0, 0, 0],
  'italy.blocklist': [40, 0, 0, 0],
  'mga.licensees': [0, 40, 40, 0],
  'netherlands.sites': [0, 40, 0, 80],
  'ontario.sites': [0, 0, 0, 40],
  'poland.blocklist': [40, 0, 0, 0],
  'romania.blocklist': [60, 0, 0, 0],
  'romania.sites': [0, 0, 0, 48],
  'spain.sites': [0, 40, 0, 36],
  'sweden.sites': [0, 40, 0, 40],
  'ukgc.licences': [0, 40, 40, 40],
  'ukraine.sites': [34, 0, 0, 6],
  'us_michigan.sites': [0, 0, 0, 40],
  'us_new_jersey.sites': [0, 0, 0, 40],
  'us_pennsylvania.sites': [0, 0, 0, 40],
}

const all = streams.map(stream => [stream.key, stream] as const)
const builtIn = all.filter(([key]) => expected[key] !== undefined)

/** The place in `countsOf` of what the register is a list of. */
function mainRecord({ sourceClaim, publishes }: Stream): number {
  if (sourceClaim === 'authorised_domain') return 3
  if (sourceClaim === 'license') return publishes.licenses ? 2 : 1
  return sourceClaim === 'license_and_blocklist' && publishes.licenses ? 2 : 0
}

test.each(all)('%s is read, at least 30 rows of its main record', async (key, stream) => {
  const list = await gather(stream.read(officialSample(stream)))
  const counts = countsOf(list)
  expect(counts[mainRecord(stream)]).toBeGreaterThanOrEqual(30)
  if (expected[key] !== undefined) expect([counts, list.reject]).toEqual([expected[key], []])
  const unknown = list.notice.filter(each => each.notice === unknownColumnNotice)
  expect(
    layoutChanges(
      stream,
      unknown.map(each => each.published),
    ),
  ).toEqual([])
})

describe('a list without holders has the same identities as the official file', () => {
  const lists = builtIn.filter(
    ([key]) => /\.(?:blocklist|sites)$/.test(key) && !/^(?:czechia|poland|ukraine)/.test(key),
  )

  test.each(lists)('%s', async (_key, stream) => {
    const official = await gather(stream.read(officialSample(stream)))
    const rows = [...official.blocklist_entry, ...official.authorisation]
    const mirror = await gather(
      stream.read([fileOfBytes('mirror.txt', `${rows.map(row => row.published).join('\n')}\n`)]),
    )
    const keysOf = (list: Gathered) =>
      [...list.blocklist_entry, ...list.authorisation].map(row => row.recordKey)
    expect(keysOf(mirror).toSorted()).toEqual(keysOf(official).toSorted())
  })
})

async function bytesOf(file: SourceFile): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(file.open()))
}

/** The sample with another first file. */
async function broken(stream: Stream, change: (bytes: Buffer) => Uint8Array | string): Promise<SourceFile[]> {
  const [first, ...others] = officialSample(stream) as [SourceFile, ...SourceFile[]]
  return [fileOfBytes(first.name, change(await bytesOf(first))), ...others]
}

/** The message of the refusal, or what was read. */
async function outcomeOf(stream: Stream, files: readonly SourceFile[]): Promise<string> {
  try {
    return `read ${countsOf(await gather(stream.read(files)))}`
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** Rows of text that are cut off between two of them look whole: the guard compares them with the last file. */
const ofLines = new Set([
  'czechia.blocklist',
  'france.blocklist',
  'italy.blocklist',
  'romania.blocklist',
  'ukgc.licences',
  'ukraine.sites',
])

describe('half a file is refused', () => {
  test.each(builtIn.filter(([key]) => !ofLines.has(key)))('%s', async (_key, stream) => {
    const half = await broken(stream, bytes => bytes.subarray(0, Math.floor(bytes.length * 0.6)))
    expect(await outcomeOf(stream, half)).toMatch(/incomplete|not (?:a )?(?:complete|whole)|truncated/)
  })
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

describe.each(Object.entries(pages))('%s in place of the file is refused', (_what, content) => {
  test.each(builtIn)('%s', async (_key, stream) => {
    const outcome = await outcomeOf(stream, await broken(stream, () => content))
    expect(outcome).not.toMatch(/^read (?!0,0,0,0)/)
  })
})

describe('the file of another register of the same format is refused', () => {
  const streamOf = (key: string) => findStream(key) as Stream
  test.each([
    ['france.blocklist', 'czechia.blocklist'],
    ['czechia.blocklist', 'france.blocklist'],
    ['greece.blocklist', 'sweden.sites'],
    ['sweden.sites', 'brazil.brands'],
    ['brazil.brands', 'greece.blocklist'],
    ['romania.sites', 'denmark.operators'],
    ['denmark.operators', 'romania.sites'],
    ['spain.sites', 'netherlands.sites'],
    ['netherlands.sites', 'ontario.sites'],
    ['ontario.sites', 'us_pennsylvania.sites'],
    ['us_pennsylvania.sites', 'spain.sites'],
    ['mga.licensees', 'netherlands.sites'],
    ['us_new_jersey.sites', 'us_michigan.sites'],
  ])('%s does not read that of %s', async (key, other) => {
    const [file] = officialSample(streamOf(other)) as [SourceFile]
    expect(await outcomeOf(streamOf(key), [file])).toMatch(/expected|without numbered rows/)
  })
})

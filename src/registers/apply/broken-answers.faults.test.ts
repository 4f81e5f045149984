/**
 * These tests break the sample of each official site in its format. Each kind of broken answer changes no
 * fact. It is refused or quarantined with a reason that names what came. The last good data and its age
 * stay.
 */

import { isUtf8 } from 'node:buffer'
import { type NormalisedRow, type Stream, streams } from '@baize/registers'
import { explainRefusals } from '@baize/registers/apart'
import { officialSample } from '@baize/registers/test/answers/official-answers'
import { fileOfBytes, Refusal, type SourceFile } from '@baize/tables'
import { pdfOfObjects, pdfStream } from '@baize/tables/test/make-files'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestWorld, syncApproved, type TestWorld } from '../fixture.ts'
import {
  changeText,
  nameOf,
  type SampleFile,
  sampleFile,
  withMovedColumns,
  withOtherHeaders,
  withOtherRecord,
  withOtherSites,
} from './change-sample.fixture.ts'
import { syncRegister } from './sync-register.ts'

/** In `older` one record differs. In `foreign` all sites differ, as in the file of another register. */
type Sample = {
  stream: Stream
  files: SampleFile[]
  rows: NormalisedRow[]
  older: Buffer[]
  foreign: Buffer[]
}

async function rowsOf(stream: Stream, files: readonly SourceFile[]): Promise<NormalisedRow[]> {
  const readings = await Array.fromAsync(stream.read(files))
  return readings.filter(reading => reading.record !== 'reject' && reading.record !== 'notice')
}

const changed = (files: readonly SampleFile[], change: (text: string) => string) =>
  Promise.all(files.map(async file => (await changeText(file, change)) ?? file.bytes))

async function sampleOf(stream: Stream): Promise<Sample> {
  const files = await Promise.all(officialSample(stream).map(sampleFile))
  const rows = await rowsOf(stream, officialSample(stream))
  const older = await changed(files, text => withOtherRecord(text, rows))
  const foreign = await changed(files, text => withOtherSites(text, rows))
  return { stream, files, rows, older, foreign }
}

const samples = await Promise.all(streams.map(sampleOf))
const formatOf = ({ files }: Sample) => files[0]?.format
/** A refusal has the same effect for each stream, so that one of each format is synced after it. */
const firstOfFormats = new Set([...Map.groupBy(samples, formatOf).values()].map(([first]) => first))

const page = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`

const picture = pdfOfObjects([
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>',
  pdfStream('', '0 0 595 842 re f'),
])

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)
const encoded = (file: SampleFile, encoding: BufferEncoding, change: (text: string) => string) =>
  isUtf8(file.bytes) && file.format !== 'pdf' ? Buffer.from(change(file.bytes.toString()), encoding) : null
const withAccent = (text: string, rows: readonly NormalisedRow[]) => {
  const name = rows.map(nameOf).find(each => text.includes(each)) ?? ''
  return text.replaceAll(name, `É${name}`)
}

type Broken = Buffer | string | null
type Kind = {
  what: string
  /** Returns the broken file, or null if the file cannot have this fault. */
  of: (file: SampleFile, rows: readonly NormalisedRow[]) => Broken | Promise<Broken>
  reason: RegExp
  /** A site changes the layout of all its pages at once. Readers without need of it read the same rows. */
  isOfLayout?: true
}

const cutOff = /incomplete|not (?:a )?complete|truncated|cut off/
const otherLayout =
  /expected|none of \d+ rows?|after \d+|would be removed|would change|cannot be read|without/

const kinds: Kind[] = [
  {
    what: 'a login page',
    of: () => page('Sign in', '<form><input type="password"></form>'),
    reason: /asks for a login \("Sign in"\).*register watch/,
  },
  {
    what: 'a captcha page',
    of: () => page('Just a moment...', ''),
    reason: /checks whether its visitor is a person.*register sync/,
  },
  {
    what: 'another page of the site',
    of: () => page('Not found', '<ul><li><a href="/">Home</a></li></ul>'),
    reason: /"Not found".*register watch/,
  },
  {
    what: 'a failed interface',
    of: () => '{"error":"internal"}',
    reason: /error\\?":|members error|found an object/,
  },
  { what: 'an empty file', of: () => '', reason: /is empty/ },
  { what: 'half a file', of: ({ bytes }) => half(bytes), reason: cutOff },
  {
    what: 'half a newer file',
    of: async (file, rows) =>
      half((await changeText(file, text => withOtherRecord(text, rows))) ?? file.bytes),
    reason: cutOff,
  },
  {
    what: 'a doubled file',
    of: ({ bytes }) => Buffer.concat([bytes, bytes]),
    reason: /contains everything twice|two workbooks|not complete (?:JSON|XML)/,
  },
  {
    what: 'UTF-16',
    of: file => encoded(file, 'utf16le', text => `\ufeff${text}`),
    reason: /found UTF-16 text/,
  },
  {
    what: 'UTF-16 without a mark',
    of: file => encoded(file, 'utf16le', text => text.replace('\ufeff', '')),
    reason: /zero bytes|expected utf-8 text/,
  },
  {
    what: 'latin-1',
    of: (file, rows) => encoded(file, 'latin1', text => withAccent(text, rows)),
    reason: /expected utf-8 text.*another encoding/,
  },
  {
    what: 'a PDF that is a picture',
    of: () => picture,
    reason: /expected [\w ]+, found a PDF|pages? without text, probably pictures/,
  },
  {
    what: 'other headers, labels and marks',
    of: (file, rows) => changeText(file, text => withOtherHeaders(text, file.format, rows)),
    reason: otherLayout,
    isOfLayout: true,
  },
  {
    what: 'values below the headers of others',
    of: file => changeText(file, text => withMovedColumns(text, file.format)),
    reason: otherLayout,
    isOfLayout: true,
  },
]

let testWorld: TestWorld
let hour = 0
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

describe.each(samples.map(sample => [sample.stream.key, sample] as const))(
  'broken answers of %s',
  (key, sample) => {
    const { stream, files, rows, older } = sample
    const sources = (contents: (Uint8Array | string)[]) =>
      contents.map((content, index) => fileOfBytes(files[index]?.name ?? 'page', content))
    const good = () => files.map(({ bytes }) => bytes)

    const syncNext = (answer: SourceFile[], sync = syncRegister) => {
      hour += 1
      const now = new Date(Date.UTC(2026, 0, 1, hour))
      return sync(testWorld.world, explainRefusals(stream), answer, { takenAt: now, now, isFetched: true })
    }
    const stored = async () => {
      const isInForce = (row: Record<string, unknown>) => row.stream === key && row.known_to === null
      const [row] = (await testWorld.rowsOf('register_streams')).filter(each => each.stream === key)
      return {
        facts: [
          ...(await testWorld.factsInForce(key)),
          ...(await testWorld.rowsOf('licensee_states')).filter(isInForce),
        ],
        confirmedAt: row?.last_confirmed_at,
      }
    }
    /** Expects that facts and their age stay, unless the same rows were read. */
    const expectNoChange = async (answer: SourceFile[], reason: RegExp, statuses: string[]) => {
      const refusal = await refusalOf(explainRefusals(stream), answer)
      if (refusal !== null && !firstOfFormats.has(sample)) {
        expect(statuses).toContain('refused')
        expect(refusal).toMatch(reason)
        return
      }
      const before = await stored()
      const { status, reasons } = await syncNext(answer)
      expect(statuses).toContain(status)
      const after = await stored()
      expect(after.facts).toEqual(before.facts)
      if (status === 'unchanged') return
      expect(reasons.join('; ')).toMatch(reason)
      expect(after.confirmedAt).toEqual(before.confirmedAt)
    }

    beforeAll(async () => {
      await syncNext(sources(older), syncApproved)
      expect(await syncNext(sources(good()), syncApproved)).toMatchObject({ status: 'applied' })
      expect((await stored()).facts.length).toBeGreaterThanOrEqual(30)
    })

    test.each(kinds)(
      'a broken answer is refused or quarantined, and changes no fact: $what',
      async ({ of, reason, isOfLayout }) => {
        const broken = await Promise.all(files.map(file => of(file, rows)))
        if (isOfLayout) {
          const answer = broken.map((content, index) => content ?? (good()[index] as Buffer))
          await expectNoChange(sources(answer), reason, ['refused', 'held', 'unchanged'])
          return
        }
        for (const [index, content] of broken.entries())
          if (content !== null)
            await expectNoChange(sources([...good()].with(index, content as Buffer)), reason, [
              'refused',
              'held',
            ])
      },
    )

    test("yesterday's file with today's date in it confirms the snapshot", async () => {
      await expectNoChange(sources(good()), /^$/, ['unchanged'])
    })

    test("an older day's file is quarantined", async () => {
      await expectNoChange(sources(older), /the rows are those of snap_\w+, taken at 2026/, ['held'])
    })

    // Files of another format are broken answers above.
    test('the file of any other register in the same format is refused or quarantined', async () => {
      const others = samples.filter(other => other.stream !== stream && formatOf(other) === formatOf(sample))
      for (const other of others) {
        const answer = sources(other.foreign)
        if ((await refusalOf(stream, answer)) !== null) continue
        await expectNoChange(answer, otherLayout, ['refused', 'held'])
      }
    })
  },
)

/** Returns the reason with which the reader refuses the files, as it does in each sync; else null. */
async function refusalOf(stream: Stream, files: readonly SourceFile[]): Promise<string | null> {
  try {
    await rowsOf(stream, files)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** Signals when companies are added and removed beside unchanged ones. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { verifyReplay } from '../../../verify/replay.ts'
import { syncRegister } from '../../apply/sync-register.ts'
import { day, openTestWorld, syncApproved, type TestWorld } from '../../fixture.ts'
import { fileOfBytes } from '../../source/file-of-bytes.ts'
import type { Stream } from '../../stream.ts'
import { gather } from '../fixture.ts'
import { brazilBrands } from './brazil-brands.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

/** A mirror of these requirements with one brand each; `5x2` has two. */
function mirror(...requirements: string[]) {
  const rows = requirements.flatMap(text => {
    const [number = '', brands = '1'] = text.split('x')
    return Array.from({ length: Number(brands) }, (_, brand) => ({
      requirement_number_year: `${number.padStart(4, '0')}/2024`,
      fiscal_name: `Company ${number}`,
      document: `${number.padStart(8, '0')}/0001-01`,
      brand: `Brand ${number} ${brand}`,
      domain: `b${number}x${brand}.bet.br`,
    }))
  })
  return fileOfBytes('mirror.json', JSON.stringify(rows))
}

/** The first parser: only companies and licenses of proven brands. */
const first: Stream = {
  ...brazilBrands,
  parserVersion: 1,
  infersHolders: undefined,
  async *read(files) {
    const { authorisation, licensee, license } = await gather(brazilBrands.read(files))
    const proven = new Set(authorisation.flatMap(row => [row.licenseeKey, row.licenseKey]))
    yield* [...licensee, ...license].filter(row => proven.has(row.recordKey))
    yield* authorisation
  },
}

const at = (number: number) => ({ takenAt: day(number), now: day(number) })

async function signalsOf(number: number, ...requirements: string[]) {
  const before = (await testWorld.rowsOf('signals')).length
  await syncApproved(testWorld.world, brazilBrands, [mirror(...requirements)], at(number))
  const signals = (await testWorld.rowsOf('signals')).slice(before)
  return signals.map(
    ({ event_type, record_kind, record_key }) => `${event_type} ${record_kind} ${record_key}`,
  )
}

/** The requirement stored for the site; null if unproven. */
async function licenseOf(domain: string) {
  const facts = await testWorld.factsInForce()
  const fact = facts.find(each => each.startsWith('authorisation') && each.includes(` ${domain} | brazil | `))
  return /\d{4}\/\d{4}/.exec(fact ?? '')?.[0] ?? null
}

test('an added or removed company gives Signals for itself only', async () => {
  expect(await signalsOf(1, '1', '2x2', '4', '5', '6')).toEqual([])
  expect(await licenseOf('b2x0.bet.br')).toBeNull()

  expect(await signalsOf(2, '1', '2x2', '3', '4', '5', '6')).toEqual(['added_to_register license 0003/2024'])
  expect(await licenseOf('b2x0.bet.br')).toBe('0002/2024')

  expect(await signalsOf(3, '1', '2x2', '4', '5', '6')).toEqual(['removed_from_register license 0003/2024'])
  expect(await licenseOf('b2x0.bet.br')).toBeNull()
})

test('records of the earlier parser stay stored, and both histories replay alike', async () => {
  await syncRegister(testWorld.world, first, [mirror('1', '2', '4', '5')], at(1))
  await syncApproved(testWorld.world, first, [mirror('1', '2', '3', '4', '5')], at(2))
  const earlierSignals = (await testWorld.rowsOf('signals')).map(signal => signal.signal_ref)
  expect(earlierSignals.length).toBeGreaterThan(1)
  expect(await signalsOf(3, '1', '2', '3', '4', '5')).toEqual([])
  expect(await signalsOf(4, '1', '2', '4', '5')).toEqual(['removed_from_register license 0003/2024'])
  expect((await testWorld.rowsOf('signals')).map(signal => signal.signal_ref)).toEqual(
    expect.arrayContaining(earlierSignals),
  )
  expect(await verifyReplay(testWorld.world, testWorld.connection)).toMatchObject({ differences: [] })
})

test('a reordered list proves other holders and gives no Signals', async () => {
  await signalsOf(1, '1', '2', '3', '4')
  expect(await licenseOf('b1x0.bet.br')).toBe('0001/2024')
  expect(await signalsOf(2, '2', '1', '3', '4')).toEqual([])
  expect(await licenseOf('b1x0.bet.br')).toBeNull()
})

test('an added or removed site gives a Signal, with its holder if proven', async () => {
  await signalsOf(1, '1', '2', '5')
  expect(await signalsOf(2, '1x2', '2', '5x2')).toEqual([
    'added_to_register authorisation b5x1.bet.br',
    'authorized_domains_changed license 0001/2024',
  ])
  const added = (await testWorld.rowsOf('signals')).at(-1)
  expect(added).toHaveProperty('content.change_set', {
    authorized_domains: { added: ['b1x1.bet.br'], removed: [] },
  })
  expect(await signalsOf(3, '1', '2', '5')).toEqual([
    'removed_from_register authorisation b5x1.bet.br',
    'authorized_domains_changed license 0001/2024',
  ])
})

test('rows that an earlier parser left out are added without Signals', async () => {
  const inRow = Array.from({ length: 13 }, (_, number) => String(number + 1))
  const apart = Array.from({ length: 30 }, (_, number) => String(100 + 2 * number))
  const file = mirror(...inRow, ...apart)
  await syncRegister(testWorld.world, first, [file], at(1))
  expect(await testWorld.rowsOf('licenses')).toHaveLength(12)
  expect(await syncRegister(testWorld.world, brazilBrands, [file], at(2))).toMatchObject({
    status: 'unchanged',
    corrected: true,
    signals: 0,
  })
  expect(await testWorld.rowsOf('licenses')).toHaveLength(43)
  expect(await testWorld.rowsOf('signals')).toEqual([])
})

test('a company and its requirement do not depend on the companies around it', async () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(numbers, async found => {
      const { licensee, license } = await gather(brazilBrands.read([mirror(...found.map(String))]))
      const named = found.map(number => [`Company ${number}`, `${String(number).padStart(4, '0')}/2024`])
      expect(licensee.map((row, index) => [row.legalName, license[index]?.recordKey])).toEqual(named)
    }),
  )
})

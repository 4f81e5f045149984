/** These tests add and remove companies beside unchanged ones, and compare the Signals. */
import { findStream, type Stream } from '@baize/registers'
import { gather } from '@baize/registers/test/gather'
import { fileOfBytes } from '@baize/tables'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { day, openTestWorld, syncApproved, type TestWorld } from '../fixture.ts'

const brazilBrands = findStream('brazil.brands') as Stream
let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

/** Makes a mirror of these requirements with one brand each; `5x2` has two. */
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

const at = (number: number) => ({ takenAt: day(number), now: day(number) })

async function signalsOf(number: number, ...requirements: string[]) {
  const before = (await testWorld.rowsOf('signals')).length
  await syncApproved(testWorld.world, brazilBrands, [mirror(...requirements)], at(number))
  const signals = (await testWorld.rowsOf('signals')).slice(before)
  return signals.map(
    ({ event_type, record_kind, record_key }) => `${event_type} ${record_kind} ${record_key}`,
  )
}

/** Returns the requirement stored for the site, or null if it is not proven. */
async function licenseOf(domain: string) {
  const facts = await testWorld.factsInForce()
  const fact = facts.find(each => each.startsWith('authorisation') && each.includes(` ${domain} | brazil | `))
  return /\d{4}\/\d{4}/.exec(fact ?? '')?.[0] ?? null
}

test('an added or removed company gives Signals only for that company', async () => {
  expect(await signalsOf(1, '1', '2x2', '4', '5', '6')).toEqual([])
  expect(await licenseOf('b2x0.bet.br')).toBeNull()

  expect(await signalsOf(2, '1', '2x2', '3', '4', '5', '6')).toEqual(['added_to_register license 0003/2024'])
  expect(await licenseOf('b2x0.bet.br')).toBe('0002/2024')

  expect(await signalsOf(3, '1', '2x2', '4', '5', '6')).toEqual(['removed_from_register license 0003/2024'])
  expect(await licenseOf('b2x0.bet.br')).toBeNull()
})

test('a list in another order proves other holders, and gives no Signals', async () => {
  await signalsOf(1, '1', '2', '3', '4')
  expect(await licenseOf('b1x0.bet.br')).toBe('0001/2024')
  expect(await signalsOf(2, '2', '1', '3', '4')).toEqual([])
  expect(await licenseOf('b1x0.bet.br')).toBeNull()
})

test('an added or removed site gives a Signal, with its holder if the holder is proven', async () => {
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

test('a company and its requirement are read the same whichever companies precede or follow', async () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(numbers, async found => {
      const { licensee, license } = await gather(brazilBrands.read([mirror(...found.map(String))]))
      const named = found.map(number => [`Company ${number}`, `${String(number).padStart(4, '0')}/2024`])
      expect(licensee.map((row, index) => [row.legalName, license[index]?.recordKey])).toEqual(named)
    }),
  )
})

import { expect, test } from 'vitest'
import { httpCapture } from './fixture.ts'
import { readCaptures } from './read-captures.ts'

const prose = '<p>Starburst by NetEnt. Deposit €10 with Skrill.</p>'

async function namedOn(html: string): Promise<string[]> {
  const context = { domain: 'luckyotter.example', licensed: false, earlierLive: false }
  const { findings } = await readCaptures([httpCapture(`<html lang=en>${html}`)], context)
  const named = findings.filter(
    ({ section }) => section === 'supplier_brands' || section === 'payment_methods',
  )
  return named.map(({ valueKey }) => valueKey).toSorted()
}

test.each([
  ['a lobby', '<a href=/slots>Slots</a>'],
  ['a registration and a link to games', '<a href=/r>Register</a><a href=/g>Games</a>'],
  [
    'a registration and a license',
    '<a href=/r>Register</a><p>Operated by Otter Ltd, license MGA/B2C/9901/2019.</p>',
  ],
  ['a coming launch', '<p>Our casino is opening soon.</p>'],
])('names in the prose of a site with %s count', async (_name, html) => {
  expect(await namedOn(html + prose)).toEqual(['NetEnt', 'skrill'])
})

test.each([
  ['a registration alone', '<a href=/r>Register</a><a href=/login>Log in</a>'],
  ['a registration and a fair', '<a href=/r>Register</a><h1>Exhibitors</h1>'],
  ['neither', ''],
  [
    'casinos that are compared',
    '<title>Best online casinos compared</title><a href=/r>Register</a><a href=/g>Games</a>',
  ],
])('names in the prose of a site with %s do not count', async (_name, html) => {
  expect(await namedOn(html + prose)).toEqual([])
})

test('a vendor that a site without games loads counts', async () => {
  expect(await namedOn('<script src="https://www.skrill.com/a.js"></script>')).toEqual(['skrill'])
})

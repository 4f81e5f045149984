import { expect, test } from 'vitest'
import { findMarket, markets } from './markets.ts'

/** The codes as §2.2, "Market / jurisdiction codes", lists them. */
const enumerated = `
  mga ukgc curacao anjouan gibraltar isle_of_man kahnawake belgium germany ontario france argentina portugal sweden
  greece spain italy colombia ireland brazil australia us_pennsylvania us_new_jersey us_michigan us_iowa us_illinois
  us_wyoming us_maryland us_arizona us_new_york us_massachusetts us_vermont us_connecticut us_west_virginia
  us_colorado us_indiana us_maine us_tennessee us_virginia us_oregon us_california us_ohio us_kentucky us_louisiana
  us_north_carolina us_delaware us_district_of_columbia us_missouri us_nevada us_mississippi netherlands denmark
  romania switzerland_esbk ca_alberta au_northern_territory au_south_australia ar_caba ar_buenos_aires ar_mendoza
  ar_neuquen uzbekistan_napp benin botswana ghana guinea_conakry liberia ng_fct ng_lagos tanzania_mainland uganda
  slovakia cyprus latvia hungary georgia kazakhstan tobique peru czechia poland uruguay croatia austria estonia
  jersey alderney us_kansas philippines puerto_rico fbih bulgaria dominican_republic united_arab_emirates russia`

const codes = enumerated.trim().split(/\s+/)
/** Markets that §2.2 lacks are added values (§9). */
const added = ['ukraine', 'kenya', 'lithuania', 'slovenia']

test('the known markets are the codes of §2.2 and the added ones', () => {
  expect(codes).toHaveLength(95)
  expect(markets.map(market => market.code).toSorted()).toEqual([...codes, ...added].toSorted())
})

test('every market has a name, a regulator, and an existing country', () => {
  const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (const { code, name, country, regulator } of markets) {
    expect([code, name.trim(), regulator.trim()]).toEqual([code, name, regulator])
    expect(name).not.toBe('')
    expect(regulator.length).toBeGreaterThan(5)
    if (country !== null) expect([code, countries.of(country)]).toEqual([code, expect.any(String)])
  }
})

test("no two markets share a name, and the country of a state is its code's prefix", () => {
  expect(new Set(markets.map(market => market.name)).size).toBe(markets.length)
  const prefixed = markets.filter(market => /^(us|ca|au|ar|ng)_/.test(market.code))
  expect(prefixed.length).toBeGreaterThan(0)
  for (const { code, country } of prefixed) expect(country).toBe(code.slice(0, 2).toUpperCase())
})

test('a market is found only by its code', () => {
  expect(findMarket('us_new_jersey')).toEqual({
    code: 'us_new_jersey',
    name: 'New Jersey (US)',
    country: 'US',
    regulator: 'New Jersey Division of Gaming Enforcement (DGE)',
  })
  expect(findMarket('atlantis')).toBeUndefined()
  expect(findMarket('constructor')).toBeUndefined()
})

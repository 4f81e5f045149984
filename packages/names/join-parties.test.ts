import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Holder, joinParties, type KeyRow } from './join-parties.ts'
import { judgePair } from './judge-pair.ts'

const holder = (node: string, fields: Partial<Holder> = {}): Holder => ({
  node,
  companyId: null,
  isNew: true,
  isImported: false,
  isRenamed: false,
  numbers: [],
  countries: [],
  nameKeys: ['luckyotter ltd'],
  identities: [`register:${node}`],
  ...fields,
})

const row = (node: string, value: string, evidence: KeyRow['evidence'] = 'name_and_domain'): KeyRow => ({
  evidence,
  byName: evidence !== 'company_number',
  key: value,
  value,
  node,
  stream: 'register',
  identity_key: node,
})

const partiesOf = (holders: readonly Holder[], rows: readonly KeyRow[]) =>
  joinParties(holders, rows, new Set()).parties.map(party => party.map(({ node }) => node))

test('holders that share a key are one party, also through a third one', () => {
  const rows = [row('a', 'otter.example'), row('b', 'otter.example'), row('b', 'kite'), row('c', 'kite')]
  expect(
    partiesOf(
      ['a', 'b', 'c', 'd'].map(node => holder(node)),
      rows,
    ),
  ).toEqual([['a', 'b', 'c']])
})

test('two numbers of one company register are never one party, through no third holder either', () => {
  const holders = [
    holder('a', { numbers: ['MT:C1095'] }),
    holder('b'),
    holder('c', { numbers: ['MT:C1096'] }),
  ]
  const rows = [row('a', 'x.example'), row('b', 'x.example'), row('c', 'x.example')]
  expect(joinParties(holders, rows, new Set())).toMatchObject({
    parties: [],
    links: [],
    refusals: [{ reason: 'numbers', nodes: ['a', 'b', 'c'] }],
  })
})

test('parties and links are the same in any order of the input', () => {
  const nodes = ['a', 'b', 'c', 'd', 'e']
  const rows = fc.array(
    fc.record({
      node: fc.constantFrom(...nodes),
      value: fc.constantFrom('x.example', 'y.example'),
      evidence: fc.constantFrom('company_number' as const, 'name_and_domain' as const),
    }),
  )
  fc.assert(
    fc.property(
      rows,
      fc.array(fc.constantFrom('MT:C1', 'MT:C2', 'SE:5'), { maxLength: 5 }),
      (drawn, numbers) => {
        const holders = nodes.map((node, index) =>
          holder(node, { numbers: numbers[index] === undefined ? [] : [numbers[index]] }),
        )
        const keys = drawn.map(({ node, value, evidence }) => row(node, value, evidence))
        const once = joinParties(holders, keys, new Set())
        expect(partiesOf(holders.toReversed(), keys.toReversed()).toSorted()).toEqual(
          partiesOf(holders, keys).toSorted(),
        )
        for (const party of once.parties) {
          const registers = new Map(
            party.flatMap(each => each.numbers).map(each => [each.split(':')[0], each]),
          )
          expect(
            party.flatMap(each => each.numbers).every(each => registers.get(each.split(':')[0]) === each),
          ).toBe(true)
        }
      },
    ),
  )
})

test('a pair is judged by the sum of what speaks for and against it', () => {
  const company = {
    id: 1,
    nameKeys: ['luckyotter ltd'],
    brands: [],
    numbers: [],
    countries: ['MT'],
    streams: ['malta'],
    domains: ['otter.example'],
  }
  expect(judgePair(company, { ...company, id: 2, countries: ['GI'] })).toEqual({
    score: 40,
    speaksFor: ['same name', 'shared domain'],
    speaksAgainst: ['different countries', 'two accounts of one register'],
  })
  expect(judgePair({ ...company, numbers: ['MT:C1'] }, { ...company, id: 2, numbers: ['MT:C2'] })).toBeNull()
})

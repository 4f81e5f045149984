import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  hostingOperator,
  mailOperator,
  nameserverOperator,
  parkingService,
  readFingerprints,
} from '../read/dns/fingerprints.ts'
import { readRuleFiles } from '../read/page/load-rules.ts'

type Fixtures = Record<string, Record<string, { positive: string; negative: string }>>

const file = new URL('fixtures/dns-fingerprints.yaml', import.meta.url)
const fixtures = parse(readFileSync(file, 'utf8')) as Fixtures
const declared = readFingerprints()

const kinds = [
  ['nameservers', nameserverOperator, 40],
  ['mail', mailOperator, 30],
  ['hosting', hostingOperator, 12],
  ['parking', parkingService, 20],
] as const

describe.each(kinds)('%s', (kind, operatorOf, operatorsMin) => {
  const operators = Object.keys(declared[kind])

  test('each operator has a record that is its own, and a near miss', () => {
    expect(operators.length).toBeGreaterThanOrEqual(operatorsMin)
    expect(Object.keys(fixtures[kind] ?? {}).toSorted()).toEqual(operators.toSorted())
    const wrong = operators.filter(operator => {
      const { positive, negative } = fixtures[kind]?.[operator] ?? { positive: '', negative: '' }
      return operatorOf(positive) !== operator || operatorOf(negative) === operator
    })
    expect(wrong).toEqual([])
  })

  test('an ending or range belongs to one operator', () => {
    const all = Object.values(declared[kind]).flat()
    expect(all.filter((each, index) => all.indexOf(each) !== index)).toEqual([])
  })

  test('endings are written as host names', () => {
    const wrong = Object.values(declared[kind])
      .flat()
      .filter(each => kind !== 'hosting' && !/^(?:[a-z0-9*-]+\.)+[a-z]{2,}$/.test(each))
    expect(wrong).toEqual([])
  })
})

test('parking nameservers are not those of ordinary names, unless they have names of their own', () => {
  const parking = Object.values(declared.parking).flat()
  expect(parking.filter(host => nameserverOperator(host) !== null)).toEqual(['expired.reg.ru'])
})

test('a registrar whose own page counts as parked has nameservers', () => {
  const rules = readRuleFiles().find(({ name }) => name === 'presence-marks')?.rules ?? []
  const named = rules.flatMap(({ value }) => (value.operator === undefined ? [] : [value.operator]))
  expect(named.filter(operator => !(String(operator) in declared.nameservers))).toEqual([])
})

import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import {
  hostingOperator,
  mailOperator,
  nameserverOperator,
  parkingService,
  readFingerprints,
} from '../dns/fingerprints.ts'
import { loadRules } from '../page/load-rules.ts'

const declared = readFingerprints()

const kinds = [
  ['nameservers', nameserverOperator, 40],
  ['mail', mailOperator, 30],
  ['hosting', hostingOperator, 12],
  ['parking', parkingService, 20],
] as const

const firstAddress = (range: string) =>
  range.includes(':')
    ? ipaddr.IPv6.networkAddressFromCIDR(range).toString()
    : ipaddr.IPv4.networkAddressFromCIDR(range).toString()

/** Returns similar hosts: `ns1.cloudflare.com.example` and `ns1.xcloudflare.com` for `cloudflare.com`. */
const hostsLike = ({ ending }: { ending: string }) => {
  const host = ending.replaceAll('*', '7')
  const isName = host.split('.').length === 2
  return isName ? [`ns1.${host}.example`, `ns1.x${host}`] : [`ns1.${host}.example`]
}

describe.each(kinds)('fingerprints of %s', (kind, operatorOf, operatorsMin) => {
  const all = Object.entries(declared[kind]).flatMap(([operator, endings]) =>
    endings.map(ending => ({ operator, ending })),
  )

  test('each declared name ending or address range leads to its operator', () => {
    const recordOf = (ending: string) =>
      kind === 'hosting' ? firstAddress(ending) : `a1.${ending.replaceAll('*', '7')}`
    expect(Object.keys(declared[kind]).length).toBeGreaterThanOrEqual(operatorsMin)
    expect(all.filter(({ operator, ending }) => operatorOf(recordOf(ending)) !== operator)).toEqual([])
  })

  test('a host that only resembles a declared name has no operator', () => {
    const nearMisses =
      kind === 'hosting' ? ['192.0.2.1', '2001:db8::1', 'hetzner.com'] : all.flatMap(hostsLike)
    expect(nearMisses.filter(host => operatorOf(host) !== null)).toEqual([])
  })

  test('no name ending or address range is declared for two operators', () => {
    const endings = all.map(({ ending }) => ending)
    expect(endings.filter((each, index) => endings.indexOf(each) !== index)).toEqual([])
  })

  test('every declared name ending is a host name', () => {
    const wrong = Object.values(declared[kind])
      .flat()
      .filter(each => kind !== 'hosting' && !/^(?:[a-z0-9*-]+\.)+[a-z]{2,}$/.test(each))
    expect(wrong).toEqual([])
  })
})

test('no nameserver for parking is also a nameserver of an operator, except expired.reg.ru', () => {
  const parking = Object.values(declared.parking).flat()
  expect(parking.filter(host => nameserverOperator(host) !== null)).toEqual(['expired.reg.ru'])
})

test('each operator that the rules for parked pages name has declared nameservers', () => {
  const rules = loadRules().files.find(({ name }) => name === 'presence-marks')?.rules ?? []
  const named = rules.flatMap(({ value }) => (value.operator === undefined ? [] : [value.operator]))
  expect(named.filter(operator => !(String(operator) in declared.nameservers))).toEqual([])
})

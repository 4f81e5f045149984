import { expect, test } from 'vitest'
import { chooseEncoding } from './content-encoding.ts'

test.each([
  [undefined, null],
  ['', null],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;Q=1', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['identity', null],
  ['identity, gzip;q=0.5', null],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['deflate, zstd', null],
  ['gzip;q=2', null],
  ['gzip;q=0.0001', null],
  [' gzip ; q=0.5 ', 'gzip'],
  [',,;;=,q=1', null],
])('the response to Accept-Encoding %j has the encoding %j', (accepted, encoding) => {
  expect(chooseEncoding({ headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })).toBe(
    encoding,
  )
})

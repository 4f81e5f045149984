import { expect, test } from 'vitest'
import { hasPassword, serverUrls, withoutPassword } from './server-urls.ts'

test.each([
  ['postgres://one/baize', ['postgres://one/baize']],
  ['postgres:///baize', ['postgres:///baize']],
  [
    'postgresql://ada:p%2Cw@one:5432,two,[::1]:7/baize?sslmode=require',
    [
      'postgresql://ada:p%2Cw@one:5432/baize?sslmode=require',
      'postgresql://ada:p%2Cw@two/baize?sslmode=require',
      'postgresql://ada:p%2Cw@[::1]:7/baize?sslmode=require',
    ],
  ],
  [
    'postgres://ada@localhost/baize?host=one,two&port=7,8',
    ['postgres://ada@localhost/baize?host=one&port=7', 'postgres://ada@localhost/baize?host=two&port=8'],
  ],
  ['http://one/baize', null],
  ['postgres://one,two:port/baize', null],
  ['postgres:///baize?host=one,,two', null],
])('a URL with several hosts names a server each, as in libpq: %s', (url, urls) => {
  expect(serverUrls(url)).toEqual(urls)
})

test.each([
  [
    'postgres://ada:secret@one:1,two:2/baize?sslmode=require',
    'postgres://ada@one:1,two:2/baize?sslmode=require',
  ],
  ['postgres://ada@one,two/baize?password=secret', 'postgres://ada@one,two/baize'],
  ['postgres://ada@one/baize', 'postgres://ada@one/baize'],
])('a shown URL has its hosts, and no password: %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown)
  expect(hasPassword(url)).toBe(url !== shown)
})

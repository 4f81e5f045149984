import { expect, test } from 'vitest'
import { readPublishedEntry } from './published-entry.ts'

const read = (text: string) => {
  const entry = readPublishedEntry(text)
  return entry.ok ? `${entry.scope} ${entry.domain ?? entry.host}` : entry.reason
}

test('a published address names a site, a page of a site or of a shared host, or is rejected', () => {
  const rows = [
    ['casino.example', 'domain casino.example'],
    ['www.casino.example/', 'domain casino.example'],
    ['https://casino.example:8443/#lobby', 'domain casino.example'],
    ['lobby.casino.example', 'domain casino.example'],
    ['*.casino.example', 'domain casino.example'],
    ['.casino.example', 'domain casino.example'],
    ['casino.example..', 'domain casino.example'],
    ['casino.example,', 'domain casino.example'],
    ['otter.blogspot.com', 'domain otter.blogspot.com'],
    ['raffles.github.io', 'domain raffles.github.io'],
    ['casino.example/en', 'path casino.example'],
    ['casino.example/index.html', 'path casino.example'],
    ['casino.example/?ref=5', 'path casino.example'],
    ['lobby.casino.example:2572/lobby?', 'path casino.example'],
    ['https://apps.apple.com/us/app/otter/id64765', 'shared_host apps.apple.com'],
    ['t.me/otter', 'shared_host t.me'],
    ['otter.wordpress.com', 'shared_host otter.wordpress.com'],
    ['otter.blogspot.it', 'shared_host otter.blogspot.it'],
    ['otter.wpengine.com', 'shared_host otter.wpengine.com'],
    ['otter.co.ee', 'shared_host otter.co.ee'],
    ['', 'empty'],
    ['www', 'no_dot'],
    ['App: Otter', 'not_a_domain'],
    ['otter 18.com', 'blank_inside'],
    ['184.168.126.69', 'ip_address'],
    ['otter.ιο', 'unknown_suffix'],
    ['www,otter-ajaccio.com', 'comma_for_dot'],
    ['12  otter.com', 'blank_inside'],
  ] as const
  expect(rows.map(([text]) => [text, read(text)])).toEqual(rows)
})

test('glued URLs are read if all of them name one site', () => {
  const rows = [
    ['http://otter.examplehttp://otter.example', 'domain otter.example'],
    ['otter.example/http://www.otter.example/http://www.otter.example/http', 'domain otter.example'],
    ['http://http://otter.example', 'domain otter.example'],
    ['otter.example www.otter.example', 'domain otter.example'],
    ['otter.example/promohttp://otter.example/promo', 'path otter.example'],
    ['otter.example/go?to=http://fox.example', 'path otter.example'],
    ['otter.example www.fox.example', 'several_sites'],
    ['http://otter.examplehttp://fox.example', 'several_sites'],
  ] as const
  expect(rows.map(([text]) => [text, read(text)])).toEqual(rows)
})

test('spellings of one host share a key; its www host and its pages have other keys', () => {
  const keys = [
    'Otter.example',
    'http://otter.example/',
    'www.otter.example',
    'otter.example/a',
    'otter.example/b',
  ].map(text => {
    const entry = readPublishedEntry(text)
    return entry.ok ? entry.key : null
  })
  expect(keys).toEqual([
    'otter.example',
    'otter.example',
    'www.otter.example',
    'otter.example/a',
    'otter.example/b',
  ])
})

test('keys of long paths are shortened and remain distinct', () => {
  const [one, other] = ['x', 'y'].map(end => readPublishedEntry(`otter.example/${'a'.repeat(1_500)}${end}`))
  expect(one?.ok && other?.ok && one.key !== other.key && one.key.length <= 500).toBe(true)
})

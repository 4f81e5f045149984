import { expect, test } from 'vitest'
import { readDomain } from '../../core/domain-name.ts'
import { listedSpellings } from './listed-spellings.ts'

function lies(sent: string, listed: string): boolean {
  const site = readDomain(sent)
  if (!site.ok) throw new Error(sent)
  return listedSpellings(site).includes(listed)
}

test('a listing covers its own host, what lies below it, and either spelling of www', () => {
  expect(lies('https://poker.heron.example/lobby', 'poker.heron.example')).toBe(true)
  expect(lies('a.b.poker.heron.example', 'poker.heron.example')).toBe(true)
  expect(lies('poker.heron.example', 'www.poker.heron.example')).toBe(true)
  expect(lies('www.poker.heron.example', 'poker.heron.example')).toBe(true)
  expect(lies('heron.example', 'poker.heron.example')).toBe(false)
  expect(lies('news.heron.example', 'poker.heron.example')).toBe(false)
  expect(lies('notpoker.heron.example', 'poker.heron.example')).toBe(false)
})

test('letter case, percent encoding, `www.` and `m.` of a page are one spelling', () => {
  expect(lies('t.me/Gambler', 't.me/gambler')).toBe(true)
  expect(lies('t.me/%67ambler', 't.me/gambler')).toBe(true)
  expect(lies('www.facebook.com/badcasino', 'm.facebook.com/badcasino')).toBe(true)
  expect(lies('m.facebook.com/badcasino', 'facebook.com/badcasino')).toBe(true)
})

test('a listed path covers the paths below it on its own host', () => {
  expect(lies('heron.example/casino/en?x=1', 'heron.example/casino')).toBe(true)
  expect(lies('heron.example/casino', 'heron.example/casino/')).toBe(true)
  expect(lies('heron.example/?id=7', 'heron.example/?id=7')).toBe(true)
  expect(lies('heron.example/app?id=7&hl=it', 'heron.example/app?id=7')).toBe(true)
  expect(lies('heron.example/app?id=77', 'heron.example/app?id=7')).toBe(false)
  expect(lies('heron.example/casinos', 'heron.example/casino')).toBe(false)
  expect(lies('heron.example', 'heron.example/casino')).toBe(false)
  expect(lies('shop.heron.example/casino', 'heron.example/casino')).toBe(false)
})

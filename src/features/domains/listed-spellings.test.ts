import { readDomain } from '@baize/names'
import { expect, test } from 'vitest'
import { listedSpellings } from './listed-spellings.ts'

function lies(sent: string, listed: string): boolean {
  const site = readDomain(sent)
  if (!site.ok) throw new Error(sent)
  return listedSpellings(site).includes(listed)
}

test('a listing covers its host with and without www, and the hosts below it', () => {
  expect(lies('https://poker.heron.example/lobby', 'poker.heron.example')).toBe(true)
  expect(lies('a.b.poker.heron.example', 'poker.heron.example')).toBe(true)
  expect(lies('poker.heron.example', 'www.poker.heron.example')).toBe(true)
  expect(lies('www.poker.heron.example', 'poker.heron.example')).toBe(true)
  expect(lies('heron.example', 'poker.heron.example')).toBe(false)
  expect(lies('news.heron.example', 'poker.heron.example')).toBe(false)
  expect(lies('notpoker.heron.example', 'poker.heron.example')).toBe(false)
})

test('spellings of a page that differ in case, percent encoding, `www.` or `m.` are equal', () => {
  expect(lies('t.me/Gambler', 't.me/gambler')).toBe(true)
  expect(lies('t.me/%67ambler', 't.me/gambler')).toBe(true)
  expect(lies('www.facebook.com/badcasino', 'm.facebook.com/badcasino')).toBe(true)
  expect(lies('m.facebook.com/badcasino', 'facebook.com/badcasino')).toBe(true)
})

test('a listed path covers the paths below it on its own host only', () => {
  expect(lies('heron.example/casino/en?x=1', 'heron.example/casino')).toBe(true)
  expect(lies('heron.example/casino', 'heron.example/casino/')).toBe(true)
  expect(lies('heron.example/?id=7', 'heron.example/?id=7')).toBe(true)
  expect(lies('heron.example/app?id=7&hl=it', 'heron.example/app?id=7')).toBe(true)
  expect(lies('heron.example/app?id=77', 'heron.example/app?id=7')).toBe(false)
  expect(lies('heron.example/casinos', 'heron.example/casino')).toBe(false)
  expect(lies('heron.example', 'heron.example/casino')).toBe(false)
  expect(lies('shop.heron.example/casino', 'heron.example/casino')).toBe(false)
})

import { expect, test } from 'vitest'
import { methodsOn, studiosOn } from './fixture.ts'

test.each([
  ['the end of a sentence', 'Unwind, relax. Gaming tables open at six.'],
  ['an exclamation', 'Give yourself a push! Gaming should be fun.'],
  ['a number of games', 'Meer dan 900 games. Global pots lopen door.'],
  ['a comma', 'We like to relax, gaming or not.'],
  ['a dash', 'A clear blueprint – Gaming for all.'],
  ['a bracket', 'Be inspired (Gaming is free).'],
])('a studio is not read across %s', (_name, text) => {
  expect(studiosOn(`<p>${text}</p>`)).toEqual([])
})

test.each([
  ['common words', 'This is the blueprint gaming rooms deserve: no clutter.'],
  ['words of a gym', 'Our elk studios host yoga.'],
  ['a compound', 'Die evolution gaming-freundlicher Räume.'],
  ['the beginning of a sentence', 'Relax gaming is our idea of a good evening.'],
])('a studio is not read from %s', (_name, text) => {
  expect(studiosOn(`<p>${text}</p>`)).toEqual([])
})

test.each([
  ['a sentence', 'Money Train 4 from Relax Gaming is new.', ['relax-gaming']],
  ['the beginning of a sentence', 'Big Time Gaming made this one.', ['big-time-gaming']],
  ['capitals', 'SLOTS BY BLUEPRINT GAMING AND OTHERS', ['blueprint-gaming']],
  ['initials', 'Cabinets of R. Franco Digital are here.', ['r-franco']],
  ['an apostrophe', 'Book of Dead is by Play’n GO, as ever.', ['play-n-go']],
  ['several names', 'Games by Evolution, NetEnt and more.', ['evolution', 'netent']],
  ['a rare word in lower case', 'slots by netent and thunderkick, all day', ['netent', 'thunderkick']],
])('a studio is read from %s', (_name, text, expected) => {
  expect(studiosOn(`<p>${text}</p>`)).toEqual(expected)
})

test('a list in lower case names studios', () => {
  const list = ['blueprint gaming', 'quickspin', 'thunderkick'].map(name => `<li>${name}</li>`).join('')
  expect(studiosOn(`<ul>${list}</ul>`)).toEqual(['blueprint-gaming', 'quickspin', 'thunderkick'])
})

test.each([
  ['Deposit €10 by Visa.', 'en', ['visa']],
  ['Visa, from €10', 'en', ['visa']],
  ['Storten: iDEAL, vanaf € 10.', 'nl', ['ideal']],
  ['Depozyt BLIK od 20 zł', 'pl', ['blik']],
  ['Papara ile en az 100 TL', 'tr', ['papara']],
  ['Pay with Skrill or Rapid Transfer.', 'en', ['rapid-transfer', 'skrill']],
  ['Visa alla betalningar från 100 kr', 'sv', []],
  ['Een ideal bedrag om te storten is € 10.', 'nl', []],
  ['Win €500 in a blink', 'en', []],
])('a method is read where it is written as a name: %s', (text, lang, expected) => {
  expect(methodsOn(`<html lang=${lang}><p>${text}</p>`)).toEqual(expected)
})

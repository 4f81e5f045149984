import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emailKey, isPersonal, personNameKey, profileKey } from './person-handles.ts'

type Row = readonly [spelling: string, key: string | null]

const withKeys = (rows: readonly Row[], keyOf: (spelling: string) => string | null) =>
  rows.map(([spelling]) => [spelling, keyOf(spelling)])
const without = (spellings: readonly string[]) => spellings.map((spelling): Row => [spelling, null])

test('an e-mail address is compared without case and outer spaces, with an ASCII domain', () => {
  const rows: Row[] = [
    ['ann.lee@acme.example', 'ann.lee@acme.example'],
    ['  Ann.Lee@ACME.Example ', 'ann.lee@acme.example'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ＡＮＮ@acme.example', 'ann@acme.example'],
    ['ann+news@acme.example', 'ann+news@acme.example'],
    ['a.n.n@gmail.com', 'a.n.n@gmail.com'],
    ['ann@acme.example.', 'ann@acme.example'],
    ["o'neill@acme.example", "o'neill@acme.example"],
  ]
  expect(withKeys(rows, emailKey)).toEqual(rows)
})

test('an invalid e-mail address has no key', () => {
  const rows = without([
    '',
    '@',
    'ann',
    'ann@',
    '@acme.example',
    'ann@acme',
    'ann lee@acme.example',
    'ann@acme .example',
    'ann@@acme.example',
    'Ann <ann@acme.example>',
    'ann@acme.example, bo@acme.example',
    'ann@10.0.0.1',
    'ann@-acme.example',
    'mailto:ann@acme.example',
    `${'a'.repeat(65)}@acme.example`,
    `a@${'b.'.repeat(130)}example`,
  ])
  expect(withKeys(rows, emailKey)).toEqual(rows)
})

test('a LinkedIn profile is compared without subdomain, case, query and trailing path', () => {
  const spellings = [
    'https://www.linkedin.com/in/ann-lee',
    'http://linkedin.com/in/Ann-Lee/',
    'https://uk.linkedin.com/in/ann-lee?trk=public',
    'https://de.linkedin.com/in/ann-lee/de#about',
    'linkedin.com/in/ann-lee',
    ' www.LinkedIn.com/in/ANN-LEE/details/experience/ ',
    'https://www.linkedin.com/in/ann%2Dlee/',
  ]
  const rows = spellings.map((spelling): Row => [spelling, 'linkedin.com/in/ann-lee'])
  expect(withKeys(rows, profileKey)).toEqual(rows)
})

test('other profiles are compared with path and query', () => {
  const rows: Row[] = [
    ['https://www.xing.example/profile/Ann_Lee/', 'xing.example/profile/Ann_Lee'],
    ['https://people.example/profile.php?id=7#top', 'people.example/profile.php?id=7'],
    ['https://ann.example/?id=7', 'ann.example?id=7'],
    ['https://www.linkedin.com/in/åsa-ö', 'linkedin.com/in/åsa-ö'],
    ['https://www.linkedin.com/in/%C3%A5sa-%C3%B6', 'linkedin.com/in/åsa-ö'],
    ['https://linkedin.com.evil.example/in/ann', 'linkedin.com.evil.example/in/ann'],
  ]
  expect(withKeys(rows, profileKey)).toEqual(rows)
})

test('an invalid profile has no key', () => {
  const rows = without([
    '',
    'ann',
    'mailto:ann@acme.example',
    'javascript:alert(1)',
    'https://linkedin.com/',
    'https://linkedin.com/in/',
    'https://people.example',
    'http://',
    'ftp://people.example/ann',
  ])
  expect(withKeys(rows, profileKey)).toEqual(rows)
})

test('a name is compared without case, accents, punctuation and word order', () => {
  const rows: [one: string, other: string][] = [
    ['Ann Lee', 'LEE, Ann'],
    ['Åsa Öberg', 'asa oberg'],
    ['Jean-Luc O’Neill', 'jean luc oneill'],
    ['Łukasz Żak', 'ŻAK Łukasz'],
    ['Владимир Иванов', 'ИВАНОВ  владимир'],
  ]
  for (const [one, other] of rows) expect(personNameKey(one), one).toBe(personNameKey(other))
})

test('different names have different keys', () => {
  const rows: [one: string, other: string][] = [
    ['Ann Lee', 'Anne Lee'],
    ['Ann Lee', 'Ann B. Lee'],
    ['Ann', 'Ann Lee'],
  ]
  for (const [one, other] of rows) expect(personNameKey(one), one).not.toBe(personNameKey(other))
})

test('a name without letters and digits has no key', () => {
  const rows = without(['', '…', '- -', '🎰'])
  expect(withKeys(rows, personNameKey)).toEqual(rows)
})

test('an address is personal if it contains a word of the name', () => {
  const rows: [email: string, name: string, personal: boolean][] = [
    ['ann.lee@acme.example', 'Ann Lee', true],
    ['alee@acme.example', 'Ann Lee', true],
    ['åsa@acme.example', 'Asa Öberg', true],
    ['compliance@acme.example', 'Ann Lee', false],
    ['al@acme.example', 'Al Bo', false],
  ]
  expect(rows.map(([email, name]) => [email, name, isPersonal(email, name)])).toEqual(rows)
})

test('normalising a key again does not change it, and every key fits into an index', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), text => {
      const name = personNameKey(text)
      if (name !== null) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(400)
      if (name !== null && !name.includes('#')) expect(personNameKey(name)).toBe(name)
      const profile = profileKey(`https://people.example/${text}`)
      if (profile !== null) expect(Buffer.byteLength(profile)).toBeLessThanOrEqual(400)
      const email = emailKey(`${text}@acme.example`)
      if (email !== null) expect(emailKey(email)).toBe(email)
    }),
  )
})

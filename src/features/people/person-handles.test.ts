import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emailKey, isPersonal, personNameKey, profileKey } from './person-handles.ts'

describe('an e-mail address', () => {
  test.each([
    ['ann.lee@acme.example', 'ann.lee@acme.example'],
    ['  Ann.Lee@ACME.Example ', 'ann.lee@acme.example'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ＡＮＮ@acme.example', 'ann@acme.example'],
    ['ann+news@acme.example', 'ann+news@acme.example'],
    ['a.n.n@gmail.com', 'a.n.n@gmail.com'],
    ['ann@acme.example.', 'ann@acme.example'],
    ["o'neill@acme.example", "o'neill@acme.example"],
  ])('%s is %s', (address, key) => {
    expect(emailKey(address)).toBe(key)
  })

  test.each([
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
  ])('%j is none', address => {
    expect(emailKey(address)).toBeNull()
  })
})

describe('a profile', () => {
  const one = 'linkedin.com/in/ann-lee'
  test.each([
    'https://www.linkedin.com/in/ann-lee',
    'http://linkedin.com/in/Ann-Lee/',
    'https://uk.linkedin.com/in/ann-lee?trk=public',
    'https://de.linkedin.com/in/ann-lee/de#about',
    'linkedin.com/in/ann-lee',
    ' www.LinkedIn.com/in/ANN-LEE/details/experience/ ',
    'https://www.linkedin.com/in/ann%2Dlee/',
  ])('%s is one', address => {
    expect(profileKey(address)).toBe(one)
  })

  test.each([
    ['https://www.xing.example/profile/Ann_Lee/', 'xing.example/profile/Ann_Lee'],
    ['https://people.example/profile.php?id=7#top', 'people.example/profile.php?id=7'],
    ['https://ann.example/?id=7', 'ann.example?id=7'],
    ['https://www.linkedin.com/in/åsa-ö', 'linkedin.com/in/åsa-ö'],
    ['https://www.linkedin.com/in/%C3%A5sa-%C3%B6', 'linkedin.com/in/åsa-ö'],
    ['https://linkedin.com.evil.example/in/ann', 'linkedin.com.evil.example/in/ann'],
  ])('%s is %s', (address, key) => {
    expect(profileKey(address)).toBe(key)
  })

  test.each([
    '',
    'ann',
    'mailto:ann@acme.example',
    'javascript:alert(1)',
    'https://linkedin.com/',
    'https://linkedin.com/in/',
    'https://people.example',
    'http://',
    'ftp://people.example/ann',
  ])('%j is none', address => {
    expect(profileKey(address)).toBeNull()
  })
})

describe('a name', () => {
  test.each([
    ['Ann Lee', 'LEE, Ann'],
    ['Åsa Öberg', 'asa oberg'],
    ['Jean-Luc O’Neill', 'jean luc oneill'],
    ['Łukasz Żak', 'ŻAK Łukasz'],
    ['Владимир Иванов', 'ИВАНОВ  владимир'],
  ])('%s is %s', (one, other) => {
    expect(personNameKey(one)).toBe(personNameKey(other))
  })

  test.each([
    ['Ann Lee', 'Anne Lee'],
    ['Ann Lee', 'Ann B. Lee'],
    ['Ann', 'Ann Lee'],
  ])('%s is not %s', (one, other) => {
    expect(personNameKey(one)).not.toBe(personNameKey(other))
  })

  test.each(['', '…', '- -', '🎰'])('%j is none', name => {
    expect(personNameKey(name)).toBeNull()
  })
})

test.each([
  ['ann.lee@acme.example', 'Ann Lee', true],
  ['alee@acme.example', 'Ann Lee', true],
  ['åsa@acme.example', 'Asa Öberg', true],
  ['compliance@acme.example', 'Ann Lee', false],
  ['al@acme.example', 'Al Bo', false],
])('%s of %s is personal: %s', (email, name, personal) => {
  expect(isPersonal(email, name)).toBe(personal)
})

test('every key is the key of itself, and fits into an index', () => {
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

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { legalNameKey, splitJoinedForm, splitUnfinishedForm } from './legal-name.ts'

const sameNames: [what: string, ...names: string[]][] = [
  [
    'case, blanks and dots',
    'Alpha Ltd',
    'ALPHA LTD.',
    ' alpha   ltd ',
    'Alpha, Limited',
    'Alpha\u00a0Limited',
  ],
  ['accents', 'Blåbær Spil A/S', 'blabaer spil a/s', 'BLÅBÆR SPIL A / S', 'Blåbær Spil Aktieselskab'],
  ['letters of their own', 'Havmøge ApS', 'Havmoge ApS', 'HAVMØGE ANPARTSSELSKAB'],
  ['apostrophes', 'Otter’s Den Ltd', "Otter's Den Ltd", 'Otters Den Limited'],
  ['hyphens and brackets', 'Alpha-Beta (Malta) Limited', 'Alpha Beta Malta Ltd'],
  ['full-width letters', 'Ａｌｐｈａ Ltd', 'Alpha Ltd'],
  ['plc', 'Alpha plc', 'Alpha PLC', 'Alpha p.l.c.', 'Alpha P. L. C.', 'Alpha Public Limited Company'],
  [
    'GmbH',
    'Alpha GmbH',
    'Alpha Gesellschaft mit beschränkter Haftung',
    'Alpha G.m.b.H.',
    'Alpha G. m. b. H.',
  ],
  ['AB', 'Alpha AB', 'Alpha Aktiebolag', 'Alpha A.B.'],
  ['B.V.', 'Alpha B.V.', 'Alpha BV', 'Alpha b. v.', 'Alpha Besloten Vennootschap'],
  ['N.V.', 'Alpha N.V.', 'Alpha NV', 'Alpha Naamloze Vennootschap'],
  ['S.A.', 'Alpha S.A.', 'Alpha SA', 'Alpha S. A.', 'Alpha Société Anonyme', 'Alpha Sociedad Anónima'],
  [
    'S.r.l.',
    'Alpha S.r.l.',
    'Alpha SRL',
    'Alpha S. r. l.',
    'Alpha Soc. a r.l.',
    'Alpha Società a responsabilità limitata',
  ],
  ['S.p.A.', 'Alpha S.p.A.', 'Alpha SpA', 'Alpha S. p. A.', 'Alpha Società per azioni'],
  [
    'S.à r.l.',
    ...['Alpha S.à r.l.', 'Alpha SARL', 'Alpha Sàrl', 'Alpha S. à r. l.', 'Alpha S.A R.L.', 'Alpha S.à.r.l.'],
    ...['ALPHA S.À R.L.', 'Alpha s.à rl', 'Alpha Société à responsabilité limitée'],
  ],
  ['d.o.o.', 'Alpha d.o.o.', 'Alpha doo', 'Alpha d. o. o.', 'Alpha d. o.o.', 'Alpha D.O.O'],
  ['a.s.', 'Alpha a.s.', 'Alpha a. s.', 'Alpha as', 'Alpha akciová společnost'],
  ['S.A. de C.V.', 'Alpha S.A. de C.V.', 'Alpha SA de CV', 'Alpha S. A. de C. V.'],
  ['S. de R.L. de C.V.', 'Alpha S. de R.L. de C.V.', 'Alpha S de RL de CV', 'Alpha S. de R. L. de C. V.'],
  ['GmbH & Co. KG', 'Alpha GmbH & Co. KG', 'Alpha G.m.b.H. & Co. K.G.', 'Alpha GmbH u. Co. KG'],
  ['Ltda', 'Alpha Ltda.', 'Alpha LTDA', 'Alpha Limitada'],
  ['LLC', 'Alpha LLC', 'Alpha, L.L.C.', 'Alpha Limited Liability Company'],
  ['Inc', 'Alpha Inc', 'Alpha, Inc.', 'Alpha Incorporated'],
  ['Oy', 'Alpha Oy', 'Alpha Osakeyhtiö'],
  ['OÜ', 'Alpha OÜ', 'Alpha Osaühing', 'Alpha OU'],
  ['AS', 'Alpha AS', 'Alpha Aktsiaselts', 'Alpha a.s.'],
  ['s.r.o.', 'Alpha s.r.o.', 'Alpha, spol. s r.o.', 'Alpha spol.s r. o.', 'Alpha sro', 'Alpha s. r. o.'],
  [
    'sp. z o.o.',
    'Alpha sp. z o.o.',
    'Alpha Sp. z o. o.',
    'Alpha Sp.z o.o.',
    'Alpha Sp.z.o.o.',
    'Alpha SP ZOO',
    'Alpha Sp. zo.o.',
    'Alpha Spółka z ograniczoną odpowiedzialnością',
  ],
  ['Co., Ltd.', 'Alpha Co., Ltd.', 'Alpha Company Limited', 'Alpha Co.Ltd'],
  ['initials', 'A.B. Gaming Ltd', 'AB Gaming Ltd'],
]

const otherNames: [what: string, one: string, other: string][] = [
  ['another form', 'Alpha Ltd', 'Alpha plc'],
  ['no form', 'Alpha Ltd', 'Alpha'],
  ['the Danish and the Norwegian form', 'Alpha A/S', 'Alpha AS'],
  ['a form of one more word', 'Alpha Ltd', 'Alpha Co Ltd'],
  ['a public AB', 'Alpha AB', 'Alpha AB (publ)'],
  ['a form in front is part of the name', 'AB Alpha', 'Alpha AB'],
  ['another word', 'Alpha Ltd', 'Alpha Gaming Ltd'],
  ['a blank within a word', 'Alpha Beta Ltd', 'Alphabeta Ltd'],
  ['an ampersand', 'Alpha & Beta Ltd', 'Alpha Beta Ltd'],
  ['an ampersand and a word', 'Alpha & Beta Ltd', 'Alpha and Beta Ltd'],
  ['a plus sign', 'Alpha+ Ltd', 'Alpha Ltd'],
  ['a number', 'Alpha 1 Ltd', 'Alpha 2 Ltd'],
  ['a vowel sign', 'ไฟ Ltd', 'ไฟี Ltd'],
  ['a form behind a form', 'Alpha Ltd', 'Alpha Ltd GmbH'],
  ['a letter before the form', 'Alpha A B.V.', 'Alpha ABV'],
  ['an S.A. and an S.à r.l.', 'Alpha S.A.', 'Alpha S.à r.l.'],
  ['a word before the form', 'Alpha Vista S.r.l.', 'Alpha Vist S.à r.l.'],
]

describe('the key of a legal name', () => {
  test.each(sameNames)('legal names that differ in %s have the same key', (_what, ...names) => {
    expect([...new Set(names.map(legalNameKey))]).toHaveLength(1)
  })

  test.each(otherNames)('two legal names have different keys: %s', (_what, one, other) => {
    expect(legalNameKey(one)).not.toBe(legalNameKey(other))
  })

  test('the key of a legal name is the folded name, with its legal form abbreviated', () => {
    expect(
      ['Alpha Public Limited Company', 'ALPHA-BETA s.R.l.', 'Alpha & Co', 'Blåbær A/S'].map(legalNameKey),
    ).toEqual(['alpha plc', 'alpha beta srl', 'alpha & co', 'blabaer a/s'])
  })

  test('a name that is only a legal form or punctuation is its own key', () => {
    expect(['AB', 'Limited', '***', '  '].map(legalNameKey)).toEqual(['ab', 'limited', '***', ''])
  })
})

const spellings = [
  ...[
    'Ltd',
    'Limited',
    'plc',
    'Public Limited Company',
    'Pvt Ltd',
    'Private Limited',
    'Co Ltd',
    'GmbH',
    'GmbH & Co KG',
  ],
  ...[
    'AB',
    'Aktiebolag',
    'AB (publ)',
    'A/S',
    'AS',
    'ApS',
    'B.V.',
    'N.V.',
    'S.A.',
    'S. A.',
    'S.A. de C.V.',
    'S.r.l.',
  ],
  ...[
    'S.p.A.',
    'Ltda',
    'LLC',
    'L.L.C.',
    'FZ-LLC',
    'Inc',
    'Incorporated',
    'Oy',
    'Oyj',
    'Oy Ab',
    'OÜ',
    's.r.o.',
    'd.o.o.',
  ],
  ...['spol. s r.o.', 'Sp. z o.o.', 'Company', 'Co', 'Public', '', 'a', 'z o', 'S'],
]
const spelling = fc.constantFrom(...spellings)
/** Names whose words are no part of a legal form. The digit makes sure of that. */
const base = fc
  .array(fc.stringMatching(/^[a-z]{2,6}[0-9]$/), { minLength: 1, maxLength: 3 })
  .map(words => words.join(' '))

describe('the key of any legal name', () => {
  test("the key of a legal name's key is the key itself", () => {
    const anything = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.tuple(base, spelling, spelling).map(parts => parts.join(' ')),
      fc.array(spelling, { maxLength: 5 }).map(parts => parts.join(' ')),
    )
    fc.assert(
      fc.property(anything, name => {
        const key = legalNameKey(name)
        expect(legalNameKey(key)).toBe(key)
      }),
      { numRuns: 3_000 },
    )
  })

  test('names with different legal forms have different keys', () => {
    const oneEach = [
      'Ltd',
      'plc',
      'Pvt Ltd',
      'Pty Ltd',
      'Co Ltd',
      'LLC',
      'FZ LLC',
      'LLP',
      'LP',
      'Inc',
      'Corp',
      'GmbH',
    ]
    const others = [
      'AG',
      'KG',
      'GmbH & Co KG',
      'SE',
      'AB',
      'AB (publ)',
      'A/S',
      'ApS',
      'AS',
      'ASA',
      'Oy',
      'Oyj',
      'OÜ',
    ]
    const rest = [
      'B.V.',
      'N.V.',
      'S.A.',
      'S.A. de C.V.',
      'S.a.s.',
      'S.à r.l.',
      'S.r.l.',
      'S.p.A.',
      'S.L.',
      'Ltda',
    ]
    const last = ['d.o.o.', 'd.d.', 'A.D.', 'EOOD', 'OOD', 'Kft', 'Zrt', 's.r.o.', 'Sp. z o.o.', '']
    const form = fc.constantFrom(...oneEach, ...others, ...rest, ...last)
    fc.assert(
      fc.property(base, form, base, form, (name, its, otherName, others) => {
        const same = name === otherName && its === others
        expect(legalNameKey(`${name} ${its}`) === legalNameKey(`${otherName} ${others}`)).toBe(same)
        expect(legalNameKey(`${name} ${its}`) === legalNameKey(`${name} ${others}`)).toBe(its === others)
      }),
      { numRuns: 2_000 },
    )
  })

  test('case, blanks and final dots do not change the key of a legal name', () => {
    fc.assert(
      fc.property(base, spelling, fc.constantFrom(' ', '  ', '\t', '\u00a0'), (name, its, blank) => {
        const key = legalNameKey(`${name} ${its}`)
        expect(legalNameKey(`${name}${blank}${its}`.toUpperCase())).toBe(key)
        expect(legalNameKey(`${blank}${name} ${its}.${blank}`)).toBe(key)
      }),
    )
  })
})

test.each([
  ['ottermoorgaminglimited', 'ottermoorgaming', 'ltd'],
  ['janusplayaps', 'janusplay', 'aps'],
  ['havmagespilas', 'havmagespil', 'a/s'],
  ['bocianspzoo', 'bocian', 'sp zoo'],
])('a legal form is split off a name without blanks: %s', (joined, stem, form) => {
  expect(splitJoinedForm(joined)).toContainEqual({ stem, form })
})

test.each([
  ['recro limi', 'recro', ['ltd', 'llc']],
  ['recro private l', 'recro', ['pvt ltd']],
  ['bocian sp z', 'bocian', ['sp zoo']],
  ['otter gmbh & co', 'otter', ['gmbh & co kg']],
  ['otter p', 'otter', ['plc', 'pvt ltd', 'pty ltd', 'p/s']],
])('an unfinished legal form is completed to each form with that beginning: %s', (text, stem, forms) => {
  const splits = splitUnfinishedForm(text.split(' '))
  for (const form of forms) expect(splits).toContainEqual({ stem: [stem], form })
})

test('only a name with a stem and an unfinished legal form has completions', () => {
  expect(splitUnfinishedForm(['recro', 'gaming'])).toEqual([])
  expect(splitUnfinishedForm(['limi'])).toEqual([])
})

test('a joined name is not split if it is only a legal form, or has no legal form', () => {
  expect([splitJoinedForm('limited'), splitJoinedForm('otterroyale'), splitJoinedForm('')]).toEqual([
    [],
    [],
    [],
  ])
})

import { describe, expect, test } from 'vitest'
import { linkingKey, typedLinkingNames } from './linking-key.ts'

describe('the linking key of a name', () => {
  test.each([
    ['blanks', 'Skill On Net Limited', 'SkillOnNet Ltd', 'SKILL-ON-NET, LIMITED'],
    ['the place of the form', 'SIA Laimz', 'Laimz SIA', 'Laimz, Sabiedrība ar ierobežotu atbildību'],
    ['the alphabet of the form', 'ООО «Рога и копыта»', 'Roga i kopyta OOO'],
    ['the Greek form', 'ΟΠΑΠ Α.Ε.', 'OPAP AE', 'ΑΕ ΟΠΑΠ'],
    ['an ampersand', 'Alpha & Beta Ltd', 'Alpha and Beta Limited'],
    ['accents and dots', 'Blåbær Spil A/S', 'BLABAER SPIL aktieselskab'],
    ['a public AB', 'Alpha Spel AB', 'Alpha Spel AB (publ)', 'Aktiebolaget Alpha Spel'],
    ['the Belgian form in two languages', 'SA/NV Alpha Casino', 'Alpha Casino S.A.'],
    ['a brand behind the form', 'Alpha Spel Limited', 'Alpha Spel Limited (Lucky Otter)'],
    ['dots in the form', 'Alpha Gaming P.L.C.', 'Alpha Gaming plc'],
  ])('spellings that differ in %s share it', (_what, ...names) => {
    expect([...new Set(names.map(linkingKey))]).toHaveLength(1)
  })

  test.each([
    ['another form', 'Alpha Ltd', 'Alpha plc'],
    ['no form', 'Alpha Ltd', 'Alpha'],
    ['the Danish and the Norwegian form', 'Alpha A/S', 'Alpha AS'],
    ['another country in brackets', 'Alpha (Malta) Ltd', 'Alpha (Denmark) Ltd'],
    ['a country behind the form', 'Alpha Ltd (Malta)', 'Alpha Ltd'],
    ['another number', 'Alpha 1 Ltd', 'Alpha 2 Ltd'],
    ['a sign', 'Alpha+ Ltd', 'Alpha Ltd'],
  ])('names with %s do not share it', (_what, one, other) => {
    expect(linkingKey(one)).not.toBe(linkingKey(other))
  })

  test('a name without letters is its own key, and an empty one has none', () => {
    expect(['***', '  '].map(linkingKey)).toEqual(['***', ''])
  })

  test('a typed name may have any legal form in front', () => {
    const keys = (typed: string) => typedLinkingNames(typed).map(({ key }) => key)
    expect(keys('Ltd Otter Gaming')).toContain(linkingKey('Otter Gaming Limited'))
    expect(keys('AS Roma')).toContain(linkingKey('Roma AS'))
  })
})

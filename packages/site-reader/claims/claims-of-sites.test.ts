/** Legal sentences as sites of the field write them, with the claims that follow and those that must not. */
import { describe, expect, test } from 'vitest'
import { pageOf } from './fixture.ts'
import { type Claim, readClaims } from './read-claims.ts'

const claimsIn = (...paragraphs: string[]) =>
  readClaims(pageOf({ paragraphs }), { domain: 'luckyotter.example', pageType: null }).map(({ value }) => {
    const { claim_type, claimed_name, license_number } = value as Claim
    return [claim_type, claimed_name, ...(license_number === null ? [] : [license_number])].join(' | ')
  })

describe('the noun for an owner or operator', () => {
  test.each([
    ['Владельцем и оператором Lucky Otter является компания Otter N.V.', ['owner', 'operator']],
    ['Владельцем сайта является Otter N.V., регистрационный номер 151234.', ['owner']],
    ['Оператором сайта выступает компания Otter N.V.', ['operator']],
    ['Власником та оператором є компанія Otter N.V.', ['owner', 'operator']],
    ['Provozovatelem a vlastníkem stránek je Otter N.V.', ['operator', 'owner']],
    ['Provozovatelem hazardních her na tomto webu je společnost Otter a.s.', ['operator']],
    ['Prevádzkovateľom tohto webu je spoločnosť Otter s.r.o.', ['operator']],
    ['Właścicielem i operatorem serwisu jest Otter N.V.', ['owner', 'operator']],
    ['Eigentümer und Betreiber dieser Webseite ist die Otter N.V.', ['owner', 'operator']],
    ['Propietario y operador: Otter N.V.', ['owner', 'operator']],
    ['Otter S.A., con CIF A12345678, es operador de juego en línea.', ['operator']],
    ['A weboldal tulajdonosa és üzemeltetője az Otter N.V.', ['owner', 'operator']],
    ['Proprietarul și operatorul site-ului este Otter N.V.', ['owner', 'operator']],
    ['Owner and operator: Otter N.V.', ['owner', 'operator']],
    ['Lucky Otter is brought to you by Otter Leisure Limited.', ['operator']],
    ['Otter Ltd has operated this website since 2012.', ['operator']],
  ])('gives its roles to the company: %s', (sentence, roles) => {
    const found = claimsIn(sentence).map(claim => claim.split(' | ')[0])
    expect(found.toSorted()).toEqual(roles.toSorted())
  })

  test.each([
    'The main stage is brought to you by Heron Brewing Ltd.',
    'Provozovatelem platební brány je Heron Pay s.r.o.',
    'Оператором платежной системы является Heron Pay Ltd.',
    'Organizatorem turnieju jest Heron Sport Sp. z o.o.',
  ])('gives no role to another company: %s', sentence => {
    expect(claimsIn(sentence)).toEqual([])
  })
})

test.each([
  ['Strandvej 4, 8000 Aarhus C. Odder Spil A/S udbyder spil.', 'Odder Spil A/S'],
  ['Via Roma 1, 00187 Roma RM. Lontra S.p.A. gestisce il sito.', 'Lontra S.p.A.'],
  ['Tower Road 88, Sliema SLM 1640, Malta. Otter Ltd operates this site.', 'Otter Ltd'],
  ['Narva mnt 5, 10117 Tallinn. Saarmas Mängud OÜ korraldab hasartmänge.', 'Saarmas Mängud OÜ'],
  ['The Otter Bookmaking Company Limited operates this site.', 'The Otter Bookmaking Company Limited'],
  ['Suite 4, 2nd Fl. Otter Holdings Ltd operates this site.', 'Otter Holdings Ltd'],
  ['J. Otter Ltd operates this site.', 'J. Otter Ltd'],
  ['Provozuje Vydra hry, a.s.', 'Vydra hry, a.s.'],
  ['Operado por Operadora Nutria, S.A. de C.V.', 'Operadora Nutria, S.A. de C.V.'],
])('the name of a company has no address before it, and all of its words: %s', (sentence, name) => {
  expect(claimsIn(sentence)).toEqual([`operator | ${name}`])
})

test.each([
  [
    'Operated by Heron Services Ltd under licence MGA/B2C/712/2018 issued to Otter Ltd.',
    ['operator | Heron Services Ltd', 'licensee | Otter Ltd | MGA/B2C/712/2018'],
  ],
  [
    'Operated by Heron Services Ltd under licence MGA/B2C/712/2018 of Otter Ltd.',
    ['operator | Heron Services Ltd', 'licensee | Otter Ltd | MGA/B2C/712/2018'],
  ],
  [
    'Betrieben von der Heron GmbH mit der Lizenz MGA/B2C/712/2018, die der Otter Ltd erteilt wurde.',
    ['operator | Heron GmbH', 'licensee | Otter Ltd | MGA/B2C/712/2018'],
  ],
  [
    'Operado por Garza S.A.S. al amparo del contrato C1988 otorgado por Coljuegos a Nutria S.A.S.',
    ['operator | Garza S.A.S.', 'licensee | Nutria S.A.S. | C1988'],
  ],
  [
    'Exploité par Heron SRL sous la licence MGA/B2C/712/2018 délivrée à Otter Ltd.',
    ['operator | Heron SRL', 'licensee | Otter Ltd | MGA/B2C/712/2018'],
  ],
  [
    'Operated by Otter Ltd under licence MGA/B2C/712/2018 granted to it by the Malta Gaming Authority.',
    ['operator | Otter Ltd | MGA/B2C/712/2018', 'licensee | Otter Ltd | MGA/B2C/712/2018'],
  ],
])('a license number is that of the company to which it is granted: %s', (sentence, claims) => {
  expect(claimsIn(sentence)).toEqual(claims)
})

test.each([
  [
    'Lucky OtterはOtter Ltd.が運営し、アンジュアン政府よりライセンス番号ALSI-202411077-FI1を取得しています。',
    'licensee | Otter Ltd | ALSI-202411077-FI1',
  ],
  [
    '運営会社：Otter N.V.。キュラソー政府公認ライセンスOGL/2024/605/0544を保有。',
    'licensee | Otter N.V. | OGL/2024/605/0544',
  ],
  [
    'Die Otter GmbH steht auf der amtlichen Whitelist der Gemeinsamen Glücksspielbehörde der Länder.',
    'licensee | Otter GmbH',
  ],
  ['Otter GmbH ist in der Whitelist der GGL als Veranstalterin eingetragen.', 'licensee | Otter GmbH'],
])('a licensee is read in Japanese and from the German whitelist: %s', (sentence, claim) => {
  expect(claimsIn(sentence)).toContain(claim)
})

test('a page that advertises another site says nothing of the licensee of its own', () => {
  const paragraphs = ['Die Heron GmbH steht auf der amtlichen Whitelist der GGL.']
  const link = { url: 'https://heron.example/', host: 'heron.example', path: '/', text: 'Heron' }
  const page = pageOf({ paragraphs, links: [{ ...link, rel: 'sponsored' }] })
  expect(readClaims(page, { domain: 'luckyotter.example', pageType: null })).toEqual([])
})

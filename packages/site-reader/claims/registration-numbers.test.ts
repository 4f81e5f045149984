import { describe, expect, test } from 'vitest'
import type { PageType } from './choose-pages.ts'
import { pageOf } from './fixture.ts'
import { type Claim, readClaims } from './read-claims.ts'

/** Returns the number of each company that the page claims something of, by its name. */
function numbersIn(paragraphs: string[], pageType: PageType | null = null): Record<string, string | null> {
  const found = readClaims(pageOf({ paragraphs }), { domain: 'luckyotter.example', pageType })
  const claims = found.map(({ value }) => value as Claim)
  return Object.fromEntries(claims.map(each => [each.claimed_name, each.company_registration_number]))
}

describe('the number of a company', () => {
  test.each([
    ['Malta', 'Otter Gaming Ltd (C 71234) is the operator of this website.', 'Otter Gaming Ltd', 'C 71234'],
    [
      'Malta',
      'This website is operated by Otter Gaming plc (C-71234), Sliema.',
      'Otter Gaming plc',
      'C-71234',
    ],
    [
      'Malta',
      'Operated by Otter Gaming Limited, a Maltese company (C71234).',
      'Otter Gaming Limited',
      'C71234',
    ],
    [
      'Cyprus',
      'Payments are processed by Otter Pay Ltd, registered in Cyprus (HE 412345).',
      'Otter Pay Ltd',
      'HE 412345',
    ],
    ['Cyprus', 'Payment agent: Otter Pay Ltd, reg. no. HE412345, Limassol.', 'Otter Pay Ltd', 'HE412345'],
    ['Cyprus', 'Τον ιστότοπο διαχειρίζεται η Otter Ltd (αριθμός εγγραφής ΗΕ 412345).', 'Otter Ltd', '412345'],
    [
      'Brazil',
      'Operado por Lontra Apostas S.A., inscrita no CNPJ/MF sob o nº 12.345.678/0001-90.',
      'Lontra Apostas S.A.',
      '12.345.678/0001-90',
    ],
    [
      'Brazil',
      'Lontra Apostas Ltda. (CNPJ nº 12.345.678/0001-90) opera este site.',
      'Lontra Apostas Ltda',
      '12.345.678/0001-90',
    ],
    ['Belgium', 'Exploité par Loutre Jeux SA, numéro BCE 0412.345.678.', 'Loutre Jeux SA', '0412.345.678'],
    [
      'Belgium',
      'Uitgebaat door Otter Spelen NV, KBO-nummer 0412.345.678.',
      'Otter Spelen NV',
      '0412.345.678',
    ],
    [
      'Belgium',
      'Deze site wordt uitgebaat door Otter Spelen BV (ondernemingsnummer BE 0412.345.678).',
      'Otter Spelen BV',
      '0412.345.678',
    ],
    [
      'Poland',
      'Serwis prowadzi Wydra Zakłady Sp. z o.o., wpisana do KRS pod numerem 0000412345.',
      'Wydra Zakłady Sp. z o.o.',
      '0000412345',
    ],
    [
      'Poland',
      'Operatorem jest Wydra Zakłady S.A. (nr KRS: 0000412345, NIP: 5212345678).',
      'Wydra Zakłady S.A.',
      '0000412345',
    ],
    [
      'Poland',
      'Organizatorem jest Wydra Gry Sp. z o.o., NIP 521-23-45-678.',
      'Wydra Gry Sp. z o.o.',
      '521-23-45-678',
    ],
    ['Denmark', 'Siden drives af Odder Spil ApS, CVR-nr. 41234567.', 'Odder Spil ApS', '41234567'],
    ['Denmark', 'Udbydes af Odder Spil A/S (CVR: 41 23 45 67), Aarhus.', 'Odder Spil A/S', '41 23 45 67'],
    [
      'Norway',
      'Nettstedet drives av Oter Spill AS, organisasjonsnummer 912 345 678.',
      'Oter Spill AS',
      '912 345 678',
    ],
    [
      'Norway',
      'Eies og drives av Oter Ltd, et maltesisk selskap med organisasjonsnummer C 71234.',
      'Oter Ltd',
      'C 71234',
    ],
    [
      'Greece',
      'Διαχειρίζεται η Βίδρα Παίγνια Μ.Α.Ε., Αρ. ΓΕΜΗ 123456789000.',
      'Βίδρα Παίγνια Μ.Α.Ε.',
      '123456789000',
    ],
    [
      'Greece',
      'Λειτουργεί από την Βίδρα Παίγνια Α.Ε. με αρ. μητρώου 123456789000.',
      'Βίδρα Παίγνια Α.Ε.',
      '123456789000',
    ],
    [
      'Greece',
      'Υπό τη διαχείριση της Βίδρα Α.Ε. (Αριθμός Γ.Ε.ΜΗ.: 123456789000).',
      'Βίδρα Α.Ε.',
      '123456789000',
    ],
    [
      'Japan',
      '当サイトは Otter Entertainment N.V.（会社登録番号：151234）が運営しています。',
      'Otter Entertainment N.V.',
      '151234',
    ],
    ['Japan', '運営会社：Otter Gaming Ltd.（法人番号 12345）', 'Otter Gaming Ltd', '12345'],
    [
      'Turkey',
      'Bu site 151234 sicil numarası ile kayıtlı Samur Oyun N.V. tarafından işletilmektedir.',
      'Samur Oyun N.V.',
      '151234',
    ],
    [
      'Turkey',
      'Bu site Samur Oyun N.V. (kayıt numarası: 151234) tarafından işletilmektedir.',
      'Samur Oyun N.V.',
      '151234',
    ],
    [
      'Turkey',
      'Curaçao’da 151234 numara ile kayıtlı Samur Oyun B.V. tarafından yönetilmektedir.',
      'Samur Oyun B.V.',
      '151234',
    ],
    [
      'Germany',
      'Betreiber: Otter Spiele GmbH, Amtsgericht Kiel, HRB 12345.',
      'Otter Spiele GmbH',
      'HRB 12345',
    ],
    [
      'Germany',
      'Die Otter Spiele GmbH (HRB 12345 B) betreibt diese Website.',
      'Otter Spiele GmbH',
      'HRB 12345 B',
    ],
    ['Austria', 'Betrieben von der Otter Wetten GmbH, FN 123456a, Wien.', 'Otter Wetten GmbH', 'FN 123456a'],
    [
      'Switzerland',
      'Betrieben durch Otter Casino AG, CHE-123.456.789.',
      'Otter Casino AG',
      'CHE-123.456.789',
    ],
    [
      'Spain',
      'Nutria Apuestas, S.A., con C.I.F. A-12345678, es operador de juego.',
      'Nutria Apuestas, S.A.',
      'A-12345678',
    ],
    ['Spain', 'Operado por Nutria Juegos S.L.U. (NIF: B12345678).', 'Nutria Juegos S.L.U.', 'B12345678'],
    [
      'Portugal',
      'Operado por Lontra Jogos, S.A., pessoa coletiva n.º 512345678.',
      'Lontra Jogos, S.A.',
      '512345678',
    ],
    ['Czechia', 'Provozovatelem webu je Vydra hry, s.r.o., IČ: 01234567.', 'Vydra hry, s.r.o.', '01234567'],
    [
      'Slovakia',
      'Prevádzkovateľom je Vydra, a.s., so sídlom v Nitre, IČO: 51 234 567.',
      'Vydra, a.s.',
      '51 234 567',
    ],
    [
      'Sweden',
      'Webbplatsen drivs av Utter Spel AB (organisationsnummer 559123-4567).',
      'Utter Spel AB',
      '559123-4567',
    ],
    ['Finland', 'Sivustoa ylläpitää Saukko Pelit Oy (Y-tunnus 1234567-8).', 'Saukko Pelit Oy', '1234567-8'],
    ['Estonia', 'Veebilehte haldab Saarmas Mängud OÜ (reg. nr 12345678).', 'Saarmas Mängud OÜ', '12345678'],
    ['Latvia', 'Vietni pārvalda SIA Ūdrs, reģ. Nr. 40001234567.', 'SIA Ūdrs', '40001234567'],
    ['Lithuania', 'Svetainę valdo UAB „Ūdra“, juridinio asmens kodas 301234567.', 'UAB Ūdra', '301234567'],
    [
      'Romania',
      'Operat de Vidra Jocuri S.R.L., J40/1234/2015, CUI RO12345678.',
      'Vidra Jocuri S.R.L.',
      'J40/1234/2015',
    ],
    [
      'Romania',
      'Site-ul este operat de Vidra Jocuri S.A., cod unic de înregistrare 12345678.',
      'Vidra Jocuri S.A.',
      '12345678',
    ],
    [
      'Italy',
      'Il sito è gestito da Lontra Giochi S.r.l. (P.IVA 01234567890).',
      'Lontra Giochi S.r.l.',
      '01234567890',
    ],
    [
      'Italy',
      'Gestore: Lontra Giochi S.p.A., C.F. e P. IVA 01234567890.',
      'Lontra Giochi S.p.A.',
      '01234567890',
    ],
    [
      'Isle of Man',
      'Operated by Otter Holdings Limited, company number 123456C, Douglas.',
      'Otter Holdings Limited',
      '123456C',
    ],
    [
      'Gibraltar',
      'Operated by Otter (Gibraltar) Limited, incorporated in Gibraltar under number 112233.',
      'Otter (Gibraltar) Limited',
      '112233',
    ],
    [
      'Curaçao',
      'Otter N.V. is registered in Curaçao under company number 151234 and operates this site.',
      'Otter N.V.',
      '151234',
    ],
    ['Curaçao', 'Operated by Otter B.V., Chamber of Commerce number 151234.', 'Otter B.V.', '151234'],
    [
      'United Kingdom',
      'Run by Otter Leisure Limited (09881234), registered in England and Wales.',
      'Otter Leisure Limited',
      '09881234',
    ],
    [
      'United Kingdom',
      'Operated by Otter Leisure Ltd. Registered in England & Wales No. 09881234.',
      'Otter Leisure Ltd',
      '09881234',
    ],
    ['Scotland', 'Operated by Otter Leisure Ltd (SC123456).', 'Otter Leisure Ltd', 'SC123456'],
    [
      'Netherlands',
      'Aangeboden door Otter Spelen B.V., KvK-nummer 61234567.',
      'Otter Spelen B.V.',
      '61234567',
    ],
    [
      'Bulgaria',
      'Сайтът се управлява от „Видра Игри“ ЕООД (ЕИК: 201234567).',
      'Видра Игри ЕООД',
      '201234567',
    ],
    ['Ukraine', 'Організатором є ТОВ «Видра», код за ЄДРПОУ 41234567.', 'ТОВ Видра', '41234567'],
    [
      'Hungary',
      'A weboldal üzemeltetője a Vidra Játék Kft., cégjegyzékszám: 01-09-123456.',
      'Vidra Játék Kft',
      '01-09-123456',
    ],
    ['Croatia', 'Priređivač: Vidra Igre d.o.o., OIB: 12345678901.', 'Vidra Igre d.o.o.', '12345678901'],
    [
      'Serbia',
      'Priređivač: Vidra Igre d.o.o., matični broj: 20123456, PIB 101234567.',
      'Vidra Igre d.o.o.',
      '20123456',
    ],
    [
      'France',
      'Site édité par Loutre Jeux SAS, immatriculée au RCS de Lyon sous le n° 812 345 678.',
      'Loutre Jeux SAS',
      '812 345 678',
    ],
    [
      'Colombia',
      'Operado por Nutria Juegos S.A.S., NIT 901.234.567-8.',
      'Nutria Juegos S.A.S.',
      '901.234.567-8',
    ],
    [
      'Anjouan',
      'Otter Ltd. (registration number 15721) owns and operates this website.',
      'Otter Ltd',
      '15721',
    ],
    ['Sweden', 'Drivs av Utter AB, 559123-4567, med svensk licens.', 'Utter AB', '559123-4567'],
    ['Kazakhstan', 'Оператором является ТОО «Выдра», БИН 120340001234.', 'ТОО Выдра', '120340001234'],
    [
      'Costa Rica',
      'Operated by Otter Digital S.R.L., cédula jurídica 3-102-812345.',
      'Otter Digital S.R.L.',
      '3-102-812345',
    ],
    ['Korea', '이 사이트는 Otter N.V.(등록번호 151234)에서 운영합니다.', 'Otter N.V.', '151234'],
    [
      'Russia',
      'Сайт управляется компанией Otter Games N.V., зарегистрированной под номером 151234.',
      'Otter Games N.V.',
      '151234',
    ],
  ])('a company number is read in the form of %s: %s', (_country, text, name, number) => {
    expect(numbersIn([text])).toMatchObject({ [name]: number })
  })

  test.each([
    ['a licence', 'Otter Ltd operates this site, licence MGA/B2C/712/2018.'],
    ['a telephone number', 'Otter Ltd operates this site. Freephone 0800 1234 567.'],
    ['a telephone number in brackets', 'Otter Ltd (020 7946 0123) operates this site.'],
    ['another number in brackets', 'Otter Ltd is licensed by the Otter Gaming Board (12345).'],
    ['a postcode', 'Otter OÜ (10111 Tallinn) operates this site.'],
    [
      'an account of a regulator',
      'Otter Ltd is licensed by the Gambling Commission under account number 39001.',
    ],
    ['a year', 'Otter Ltd has operated this site since 2016.'],
    ['a vitamin', 'Otter Ltd operates this site. We like vitamin (C 12345 mg).'],
    ['an amount', 'Operated by Otter N.V. Minimum deposit (10000 VND).'],
  ])('a number of something else is no company number: %s', (_name, text) => {
    expect(Object.values(numbersIn([text])).filter(number => number !== null)).toEqual([])
  })

  test('a number in a sentence of its own is that of the only company before it', () => {
    expect(numbersIn(['Operated by Otter Gaming Limited.', 'Company number: C 71234'])).toEqual({
      'Otter Gaming Limited': 'C 71234',
    })
    expect(numbersIn(['Owned by Alpha Ltd and operated by Beta Ltd.', 'Company number: C 71234'])).toEqual({
      'Alpha Ltd': null,
      'Beta Ltd': null,
    })
  })

  test('an imprint names the company and its number in texts of their own', () => {
    const paragraphs = [
      'Otter Spiele GmbH, Seestraße 9, 23552 Lübeck',
      'Geschäftsführerin: Erika Mustermann',
      'Registergericht: Amtsgericht Lübeck',
      'Registernummer:',
      'HRB 12345',
      'Betreiber dieser Website ist die Otter Spiele GmbH.',
    ]
    expect(numbersIn(paragraphs, 'imprint')).toEqual({ 'Otter Spiele GmbH': 'HRB 12345' })
  })
})

import { expect, test } from 'vitest'
import { findCompanyNames } from './company-names.ts'

const names = (text: string) => findCompanyNames(text).map(({ name }) => name)

test.each([
  ['This website is operated by Ottermoor Gaming Limited, a company of Malta.', 'Ottermoor Gaming Limited'],
  ['Copyright © 2026 Ottermoor Gaming Ltd. All rights reserved.', 'Ottermoor Gaming Ltd'],
  ['Red Kite Leisure N.V. is registered under company number 154834.', 'Red Kite Leisure N.V.'],
  ['operated by Pebble & Pike Bookmakers plc', 'Pebble & Pike Bookmakers plc'],
  ['operated by Pebble & Pike Bookmakers PLC', 'Pebble & Pike Bookmakers PLC'],
  ['Tätä sivustoa ylläpitää iGame Malta Ltd, yritys', 'iGame Malta Ltd'],
  ['Betreiber: Quantum Gherkin GmbH & Co. KG, Wien', 'Quantum Gherkin GmbH & Co. KG'],
  ['Betreiber Quantum Gherkin GmbH', 'Quantum Gherkin GmbH'],
  ['Provozovatelem je Alfa Hry s.r.o., se sídlem v Praze', 'Alfa Hry s.r.o.'],
  ['prowadzi Bocian i Kości Sp. z o.o. z siedzibą', 'Bocian i Kości Sp. z o.o.'],
  ['udbydes af Havmåge Spil A/S, CVR', 'Havmåge Spil A/S'],
  ['exploité par Parasol Jeux S.à r.l.', 'Parasol Jeux S.à r.l.'],
  ['gestito da Alfa Giochi S.r.l. con sede', 'Alfa Giochi S.r.l.'],
  ['haldab Zonkey Mängud OÜ (registrikood 1234)', 'Zonkey Mängud OÜ'],
  ['Licensee SIA Lapsa Spēles, Rīga', 'SIA Lapsa Spēles'],
  ['Valdo UAB „Lapės lažybos“, įmonės kodas', 'UAB Lapės lažybos'],
  ['Оператор ТОВ «Лисиця Ігри», код ЄДРПОУ', 'ТОВ Лисиця Ігри'],
  ['се управлява от „Лисица Игри“ ЕООД, ЕИК', 'Лисица Игри ЕООД'],
  ['διαχειρίζεται η Αλεπού Παίγνια Α.Ε., με έδρα', 'Αλεπού Παίγνια Α.Ε.'],
  ['by 3-102-938908 SRL, Costa Rica', '3-102-938908 SRL'],
  ['by Otter (Malta) Limited', 'Otter (Malta) Limited'],
])('the text %j contains the company name %j', (text, name) => {
  expect(names(text)).toEqual([name])
})

test.each([
  'Inhaber: Max Mustermann e.K.',
  'operated by John Smith, London',
  'We act as a company. The private company is limited by shares.',
  'limited liability company registered in Malta',
  'Eigentümer: Erika Mustermann, Einzelunternehmen',
  'ФОП Лисиця Іван Петрович',
  'Best odds as of AD 2026 in SE Asia',
  'the Company Limited',
])('the text %j contains no company name', text => {
  expect(names(text)).toEqual([])
})

test('two companies in one sentence are two names', () => {
  expect(names('owned by Alpha Brand Ltd and operated by Beta Games N.V. of Curaçao')).toEqual([
    'Alpha Brand Ltd',
    'Beta Games N.V.',
  ])
})

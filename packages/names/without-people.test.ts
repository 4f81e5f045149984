import { expect, test } from 'vitest'
import { withoutContacts, withoutPeople } from './without-people.ts'

const company = 'Otter Gaming Limited'
const quoted = (text: string) => withoutPeople(text, text.indexOf(company))

test.each([
  [
    `Operated by ${company}, contact our director Jane Doe at jane.doe@mails.example or +35699123456.`,
    `Operated by ${company}, contact our…`,
  ],
  [
    `${company} is the controller; data protection officer John Smith, j.smith@x.example, 12 Home Street.`,
    `${company} is the controller; data protection…`,
  ],
  [`Herr Max Muster führt die ${company}, Malta.`, `…${company}, Malta.`],
  [
    `${company}, MGA/B2C/123/2019, C 12345, write to support [at] otter.example or call tel. 2123 4567 89.`,
    `${company}, MGA/B2C/123/2019, C 12345, write to … or call ….`,
  ],
])('a quotation loses people and contacts: %#', (text, expected) => {
  expect(quoted(text)).toBe(expected)
})

test.each([
  `${company} (C 45678), 1 Otter Street, Sliema SLM 1000, licensed under MGA/B2C/9901/2019 of 1 August 2018`,
  `${company} is licensed by the Gambling Commission under account number 99101 and 099101-R-339101-004`,
  `Die ${company} mit Sitz in Malta hat eine Erlaubnis`,
])('a quotation keeps license numbers, company numbers and company addresses: %#', text => {
  expect(quoted(text)).toBe(text)
})

test('any text loses e-mail addresses and phone numbers', () => {
  expect(withoutContacts('Write to jane@x.example, or 0035699123456. Founded 2014, 120 people.')).toBe(
    'Write to …, or …. Founded 2014, 120 people.',
  )
})

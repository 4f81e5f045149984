/** The schema of how the current files of a register are found from an address. */
import { choice, flag, integerSchema, object, pathSchema, textSchema } from '@baize/tables'
import { Type } from 'typebox'

export const urlCharactersMax = 2_048

const pattern = () => textSchema('a regular expression, such as operators.*\\.csv')
export const resolveKeys = {
  none: [],
  direct: [],
  newest_link: ['within', 'text', 'href', 'newest', 'next', 'all', 'workbook'],
  json_field: ['path', 'href', 'newest', 'all', 'address'],
  sheet: ['gid'],
  pages: ['parameter', 'link_parameter'],
  rendered: ['wait_for', 'pages'],
} as const
const linkChoice = {
  within: Type.Optional(
    Type.String({
      pattern: '^[#.]?[A-Za-z][\\w-]*$',
      maxLength: 100,
      accepts: '#id, .class or the name of an element',
    }),
  ),
  text: Type.Optional(pattern()),
  href: Type.Optional(pattern()),
  newest: Type.Optional(choice(['first', 'last', 'latest_date'])),
}
export const resolveSchema = object({
  by: choice(['direct', 'newest_link', 'json_field', 'pages', 'sheet', 'rendered', 'none']),
  ...linkChoice,
  next: Type.Optional(object(linkChoice)),
  path: Type.Optional(pathSchema('names of members separated by /, such as result/resources/*/url')),
  all: Type.Optional(flag()),
  workbook: Type.Optional(flag()),
  address: Type.Optional(
    textSchema('an address with {value}, such as https://regulator.example/holder?id={value}', {
      maxLength: urlCharactersMax,
    }),
  ),
  gid: Type.Optional(integerSchema(0, 2_147_483_647)),
  parameter: Type.Optional(textSchema('the parameter of an address that numbers its pages, such as page')),
  wait_for: Type.Optional(textSchema('a CSS selector of the list, such as table.licences tr')),
  pages: Type.Optional(object({ next: textSchema('a CSS selector of what leads to the next page') })),
  link_parameter: Type.Optional(textSchema('that parameter as the links of a page print it')),
})

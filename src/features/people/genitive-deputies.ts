/** Titles of Slavic deputies name the office in the genitive, and have its seniority: `Zastępca dyrektora`. */
import { deputies } from './indirect-titles.ts'

const deputy = `(${[deputies.pl, deputies.cs, deputies.sk, deputies.ru, deputies.uk].join('|')})`

const offices = {
  chief: [
    'dyrektora generalnego|dyrektorki generalnej|dyrektora zarzadzajacego|dyrektora wykonawczego',
    'generalniho reditele|generalni reditelky|vykonneho reditele|predsedy predstavenstva|jednatele',
    'generalneho riaditela|generalnej riaditelky|vykonneho riaditela|predsedu predstavenstva|konatela',
    'генерального директора|исполнительного директора|управляющего директора|гендиректора|председателя правления',
    'генеральної директорки|виконавчого директора|керуючого директора|голови правління',
  ],
  vicePresident: ['prezesa|prezeski'],
  head: [
    'szefa|szefowej|sefa|sefky|vedouciho|vedouci|veduceho|veducej',
    'руководителя|начальника|главы|заведующего|керівника|керівниці|начальниці|очільника|завідувача',
  ],
  director: ['dyrektora|dyrektorki|reditele|reditelky|riaditela|riaditelky|директора|директорки'],
  manager: ['kierownika|kierowniczki'],
} as const
type Level = keyof typeof offices

/** Deputies of one level, with up to four words between: `заместитель коммерческого директора`. */
export const deputyOf = (level: Level): string => `${deputy} … (${offices[level].join('|')})`

export const deputyLeader = `${deputy} … (${Object.values(offices).flat().join('|')})`

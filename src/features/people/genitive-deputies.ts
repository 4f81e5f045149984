/**
 * In Slavic languages the title of a deputy has the office in the genitive, which no other pattern takes:
 * `Заместитель генерального директора`, `Zastępca dyrektora`. Such a deputy is of the office's level, as the others are
 * (`Deputy CEO`, `Deputy Director`). The language of patterns is that of title-pattern.ts.
 */
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

/** Of one level; between the two may stand what the office is of: `заместитель коммерческого директора`. */
export const deputyOf = (level: Level): string => `${deputy} … (${offices[level].join('|')})`

/** Whoever leads a function in place of its leader, before the words of the function. */
export const deputyLeader = `${deputy} … (${Object.values(offices).flat().join('|')})`

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../test/harness/time.ts'
import { expectReadings } from './fixture.ts'
import { readTitle } from './read-title.ts'
import { jobFunctions, type RoleKey, roleGlossary, roleKeys, seniorities } from './role-glossary.ts'
import { anyOf } from './title-pattern.ts'
import { titleWords } from './title-words.ts'
import { namesAt, patternsAt } from './words.ts'

const synonymsOf = (key: RoleKey) => roleGlossary().find(role => role.key === key)?.synonyms ?? []

test('titles of chief executives have the role ceo', () => {
  expectReadings([
    ['CEO', 'ceo dm', 'c_level', 'general_management'],
    ['C.E.O.', 'ceo dm', 'c_level', 'general_management'],
    ['C E O', 'ceo dm', 'c_level', 'general_management'],
    ['Managing Partner', 'ceo dm', 'c_level', 'general_management'],
    ['Chief Executive Officer', 'ceo dm', 'c_level', 'general_management'],
    ['Group Chief Executive', 'ceo dm', 'c_level', 'general_management'],
    ['Interim CEO', 'ceo dm', 'c_level', 'general_management'],
    ['CEO & Co-Founder', 'ceo dm', 'c_level', 'general_management'],
    ['CEO | Lucky Otter', 'ceo dm', 'c_level', 'general_management'],
    ['CEO @ Betting Directors Ltd', 'ceo dm', 'c_level', 'general_management'],
    ['Managing Director', 'ceo dm', 'c_level', 'general_management'],
    ['Managing Director, Malta', 'ceo dm', 'c_level', 'general_management'],
    ['President & CEO', 'ceo dm', 'c_level', 'general_management'],
    ['Geschäftsführer', 'ceo dm', 'c_level', 'general_management'],
    ['Geschäftsführerin', 'ceo dm', 'c_level', 'general_management'],
    ['Geschaeftsfuehrender Gesellschafter', 'ceo dm', 'c_level', 'general_management'],
    ['Vorstandsvorsitzender', 'ceo dm', 'c_level', 'general_management'],
    ['PDG', 'ceo dm', 'c_level', 'general_management'],
    ['P.D.G.', 'ceo dm', 'c_level', 'general_management'],
    ['Directeur Général', 'ceo dm', 'c_level', 'general_management'],
    ['Directrice générale', 'ceo dm', 'c_level', 'general_management'],
    ['Director General', 'ceo dm', 'c_level', 'general_management'],
    ['Consejero Delegado', 'ceo dm', 'c_level', 'general_management'],
    ['Gerente General', 'ceo dm', 'c_level', 'general_management'],
    ['Amministratore Delegato', 'ceo dm', 'c_level', 'general_management'],
    ['Amministratore unico', 'ceo dm', 'c_level', 'general_management'],
    ['Diretor-Geral', 'ceo dm', 'c_level', 'general_management'],
    ['Diretora Presidente', 'ceo dm', 'c_level', 'general_management'],
    ['Algemeen directeur', 'ceo dm', 'c_level', 'general_management'],
    ['Prezes Zarządu', 'ceo dm', 'c_level', 'general_management'],
    ['Dyrektor generalny', 'ceo dm', 'c_level', 'general_management'],
    ['Generální ředitel', 'ceo dm', 'c_level', 'general_management'],
    ['Jednatel společnosti', 'ceo dm', 'c_level', 'general_management'],
    ['Generálny riaditeľ', 'ceo dm', 'c_level', 'general_management'],
    ['VD', 'ceo dm', 'c_level', 'general_management'],
    ['Verkställande direktör', 'ceo dm', 'c_level', 'general_management'],
    ['Administrerende direktør', 'ceo dm', 'c_level', 'general_management'],
    ['Daglig leder', 'ceo dm', 'c_level', 'general_management'],
    ['Toimitusjohtaja', 'ceo dm', 'c_level', 'general_management'],
    ['Director executiv', 'ceo dm', 'c_level', 'general_management'],
    ['Διευθύνων Σύμβουλος', 'ceo dm', 'c_level', 'general_management'],
    ['Генеральный директор', 'ceo dm', 'c_level', 'general_management'],
    ['Генеральний директор', 'ceo dm', 'c_level', 'general_management'],
    ['CEO ja hallituksen jäsen', 'ceo dm', 'c_level', 'general_management'],
  ])
})

test('titles of technology officers have the role cto', () => {
  expectReadings([
    ['CTO', 'cto dm', 'c_level', 'technology'],
    ['Chief Technology Officer', 'cto dm', 'c_level', 'technology'],
    ['Chief Technical Officer', 'cto dm', 'c_level', 'technology'],
    ['Group CTO (Sportsbook)', 'cto dm', 'c_level', 'technology'],
    ['CEO/CTO', 'ceo cto dm', 'c_level', 'technology'],
    ['CTO and co-founder', 'cto dm', 'c_level', 'technology'],
    ['Technical Director', 'cto dm', 'director', 'technology'],
    ['Director of Technology', 'cto dm', 'director', 'technology'],
    ['Technischer Direktor', 'cto dm', 'director', 'technology'],
    ['Directeur technique', 'cto dm', 'director', 'technology'],
    ['Director Técnico', 'cto dm', 'director', 'technology'],
    ['Director de Tecnología', 'cto dm', 'director', 'technology'],
    ['Direttore tecnico', 'cto dm', 'director', 'technology'],
    ['Diretor de Tecnologia', 'cto dm', 'director', 'technology'],
    ['Technisch directeur', 'cto dm', 'director', 'technology'],
    ['Dyrektor techniczny', 'cto dm', 'director', 'technology'],
    ['Technický ředitel', 'cto dm', 'director', 'technology'],
    ['Teknisk direktör', 'cto dm', 'director', 'technology'],
    ['Teknisk direktør', 'cto dm', 'director', 'technology'],
    ['Director tehnic', 'cto dm', 'director', 'technology'],
    ['Τεχνικός Διευθυντής', 'cto dm', 'director', 'technology'],
    ['Технический директор', 'cto dm', 'director', 'technology'],
    ['Технічний директор', 'cto dm', 'director', 'technology'],
  ])
})

test('titles of compliance staff have the role compliance', () => {
  expectReadings([
    ['Compliance Officer', 'compliance', 'ic', 'compliance'],
    ['Senior Compliance Analyst', 'compliance', 'ic', 'compliance'],
    ['Compliance Manager', 'compliance', 'manager', 'compliance'],
    ['Head of Compliance & MLRO', 'compliance dm', 'head', 'compliance'],
    ['MLRO', 'compliance dm', 'head', 'compliance'],
    ['M.L.R.O.', 'compliance dm', 'head', 'compliance'],
    ['Money Laundering Reporting Officer', 'compliance dm', 'head', 'compliance'],
    ['Chief Compliance Officer', 'compliance dm', 'c_level', 'compliance'],
    ['Director of Regulatory Affairs', 'compliance dm', 'director', 'compliance'],
    ['AML Lead', 'compliance', 'lead', 'compliance'],
    ['Anti-Money Laundering Specialist', 'compliance', 'ic', 'compliance'],
    ['VP, Safer Gambling', 'compliance dm', 'vp', 'compliance'],
    ['Geldwäschebeauftragter', 'compliance', 'ic', 'compliance'],
    ['Leiterin Compliance', 'compliance dm', 'head', 'compliance'],
    ['Responsable conformité', 'compliance dm', 'head', 'compliance'],
    ['Responsable de Cumplimiento Normativo', 'compliance dm', 'head', 'compliance'],
    ['Responsabile antiriciclaggio', 'compliance dm', 'head', 'compliance'],
    ['Gerente de conformidade', 'compliance', 'manager', 'compliance'],
    ['Compliance officer (Nederland)', 'compliance', 'ic', 'compliance'],
    ['Specjalista ds. zgodności', 'compliance', 'ic', 'compliance'],
    ['Complianceansvarlig', 'compliance', 'lead', 'compliance'],
    ['Υπεύθυνη Συμμόρφωσης', 'compliance dm', 'head', 'compliance'],
    ['Руководитель отдела комплаенса', 'compliance dm', 'head', 'compliance'],
    ['Фахівець з комплаєнсу', 'compliance', 'ic', 'compliance'],
  ])
})

test('titles of payments staff have the role payments', () => {
  expectReadings([
    ['Head of Payments', 'payments dm', 'head', 'payments'],
    ['Payments Manager', 'payments', 'manager', 'payments'],
    ['Payment Operations Specialist', 'payments', 'ic', 'payments'],
    ['Director - Payments & Fraud', 'payments dm', 'director', 'payments'],
    ['Chief Payments Officer', 'payments dm', 'c_level', 'payments'],
    ['PSP Relationship Manager', 'payments', 'manager', 'payments'],
    ['Leiter Zahlungsverkehr', 'payments dm', 'head', 'payments'],
    ['Responsable des paiements', 'payments dm', 'head', 'payments'],
    ['Responsable de Pagos', 'payments dm', 'head', 'payments'],
    ['Responsabile pagamenti', 'payments dm', 'head', 'payments'],
    ['Diretor de Pagamentos', 'payments dm', 'director', 'payments'],
    ['Hoofd betalingen', 'payments dm', 'head', 'payments'],
    ['Kierownik ds. płatności', 'payments', 'manager', 'payments'],
    ['Vedoucí platebních metod', 'payments dm', 'head', 'payments'],
    ['Betalningsansvarig', 'payments', 'lead', 'payments'],
    ['Επικεφαλής Πληρωμών', 'payments dm', 'head', 'payments'],
    ['Руководитель платёжного отдела', 'payments dm', 'head', 'payments'],
    ['Менеджер з платежів', 'payments', 'manager', 'payments'],
  ])
})

test('titles of affiliate staff have the role affiliates', () => {
  expectReadings([
    ['Affiliate Manager', 'affiliates', 'manager', 'affiliates'],
    ['Head of Affiliates', 'affiliates dm', 'head', 'affiliates'],
    ['Affiliate Marketing Executive', 'affiliates', 'ic', 'affiliates'],
    ['Head of Affiliate Marketing', 'affiliates dm', 'head', 'affiliates'],
    ['Director of Affiliation', 'affiliates dm', 'director', 'affiliates'],
    ['Senior Affiliates Account Manager', 'affiliates', 'manager', 'affiliates'],
    ["Responsable de l'affiliation", 'affiliates dm', 'head', 'affiliates'],
    ['Responsable de Afiliados', 'affiliates dm', 'head', 'affiliates'],
    ['Affiliation Manager Italia', 'affiliates', 'manager', 'affiliates'],
    ['Gerente de Afiliados', 'affiliates', 'manager', 'affiliates'],
    ['Menedżer ds. afiliacji', 'affiliates', 'manager', 'affiliates'],
    ['Руководитель партнёрской программы', 'affiliates dm', 'head', 'affiliates'],
    ['Partner Program Lead', 'affiliates', 'lead', 'affiliates'],
  ])
})

test('titles of marketing leaders have the role marketing_leads', () => {
  expectReadings([
    ['CMO', 'marketing_leads dm', 'c_level', 'marketing'],
    ['Chief Marketing Officer', 'marketing_leads dm', 'c_level', 'marketing'],
    ['Chief Brand & Marketing Officer', 'marketing_leads dm', 'c_level', 'marketing'],
    ['Head of Marketing', 'marketing_leads dm', 'head', 'marketing'],
    ['Head of Digital Marketing', 'marketing_leads dm', 'head', 'marketing'],
    ['Head of Product/Marketing', 'marketing_leads product_leads dm', 'head', 'product'],
    ['Marketing Director', 'marketing_leads dm', 'director', 'marketing'],
    ['Director, Brand Marketing', 'marketing_leads dm', 'director', 'marketing'],
    ['VP - Growth', 'marketing_leads dm', 'vp', 'marketing'],
    ['Vice President of Marketing', 'marketing_leads dm', 'vp', 'marketing'],
    ['CRM Team Lead', 'marketing_leads', 'lead', 'marketing'],
    ['Marketing Lead, Nordics', 'marketing_leads', 'lead', 'marketing'],
    ['Global Head (Acquisition)', 'marketing_leads dm', 'head', 'marketing'],
    ['Marketingleiter', 'marketing_leads dm', 'head', 'marketing'],
    ['Leiterin Online-Marketing', 'marketing_leads dm', 'head', 'marketing'],
    ['Directrice Marketing', 'marketing_leads dm', 'director', 'marketing'],
    ['Responsable Marketing et Communication', 'marketing_leads dm', 'head', 'marketing'],
    ['Director de Marketing', 'marketing_leads dm', 'director', 'marketing'],
    ['Directora de Mercadotecnia', 'marketing_leads dm', 'director', 'marketing'],
    ['Direttore Marketing', 'marketing_leads dm', 'director', 'marketing'],
    ['Responsabile marketing', 'marketing_leads dm', 'head', 'marketing'],
    ['Diretor de Marketing', 'marketing_leads dm', 'director', 'marketing'],
    ['Hoofd marketing', 'marketing_leads dm', 'head', 'marketing'],
    ['Dyrektor Marketingu', 'marketing_leads dm', 'director', 'marketing'],
    ['Ředitelka marketingu', 'marketing_leads dm', 'director', 'marketing'],
    ['Marknadschef', 'marketing_leads dm', 'head', 'marketing'],
    ['Markedschef', 'marketing_leads dm', 'head', 'marketing'],
    ['Markkinointijohtaja', 'marketing_leads dm', 'director', 'marketing'],
    ['Director de marketing și comunicare', 'marketing_leads dm', 'director', 'marketing'],
    ['Διευθύντρια Μάρκετινγκ', 'marketing_leads dm', 'director', 'marketing'],
    ['Директор по маркетингу', 'marketing_leads dm', 'director', 'marketing'],
    ['Керівниця відділу маркетингу', 'marketing_leads dm', 'head', 'marketing'],
    ['Marketing Manager', '', 'manager', 'marketing'],
    ['Marketing Executive', '', 'ic', 'marketing'],
    ['Lead Generation Specialist', '', 'ic', null],
    ['Head of Talent Acquisition', 'dm', 'head', 'people'],
  ])
})

test('titles of product leaders have the role product_leads', () => {
  expectReadings([
    ['CPO', 'product_leads dm', 'c_level', 'product'],
    ['Chief Product Officer', 'product_leads dm', 'c_level', 'product'],
    ['CPO (Chief Product Officer)', 'product_leads dm', 'c_level', 'product'],
    ['Chief Product & Technology Officer', 'cto product_leads dm', 'c_level', 'product'],
    ['Head of Casino Product', 'product_leads dm', 'head', 'product'],
    ['VP Product', 'product_leads dm', 'vp', 'product'],
    ['Product Director', 'product_leads dm', 'director', 'product'],
    ['Product Lead', 'product_leads', 'lead', 'product'],
    ['Lead Product Manager', 'product_leads', 'lead', 'product'],
    ['Group Product Manager', 'product_leads', 'manager', 'product'],
    ['Leiter Produktmanagement', 'product_leads dm', 'head', 'product'],
    ['Produktleiterin', 'product_leads dm', 'head', 'product'],
    ['Directeur Produit', 'product_leads dm', 'director', 'product'],
    ['Responsable de Producto', 'product_leads dm', 'head', 'product'],
    ['Direttrice prodotto', 'product_leads dm', 'director', 'product'],
    ['Diretora de Produto', 'product_leads dm', 'director', 'product'],
    ['Dyrektor ds. produktu', 'product_leads dm', 'director', 'product'],
    ['Produktchef', 'product_leads dm', 'head', 'product'],
    ['Директор по продукту', 'product_leads dm', 'director', 'product'],
    ['Product Manager', '', 'manager', 'product'],
    ['Product Owner', '', 'ic', 'product'],
    ['Chef de produit', '', 'manager', 'product'],
    ['Head of Product Marketing', 'marketing_leads dm', 'head', 'marketing'],
    ['Chief People Officer (CPO)', 'dm', 'c_level', 'people'],
    ['CPO (Chief People Officer)', 'dm', 'c_level', 'people'],
    ['Chief Procurement Officer', 'dm', 'c_level', 'operations'],
    ['Production Manager', '', 'manager', null],
  ])
})

test('titles of leaders in any function have the role decision_makers', () => {
  expectReadings([
    ['Founder', 'dm', 'founder_owner', 'general_management'],
    ['Co-Founder & Creative Director', 'dm', 'founder_owner', 'general_management'],
    ['Owner', 'dm', 'founder_owner', 'general_management'],
    ['Gründer und Inhaber', 'dm', 'founder_owner', 'general_management'],
    ['Fondatrice', 'dm', 'founder_owner', 'general_management'],
    ['Socio fundador', 'dm', 'founder_owner', 'general_management'],
    ['Titolare', 'dm', 'founder_owner', 'general_management'],
    ['Eigenaar', 'dm', 'founder_owner', 'general_management'],
    ['Współzałożyciel', 'dm', 'founder_owner', 'general_management'],
    ['Majitel', 'dm', 'founder_owner', 'general_management'],
    ['Medgrundare', 'dm', 'founder_owner', 'general_management'],
    ['Ιδρυτής', 'dm', 'founder_owner', 'general_management'],
    ['Владелец', 'dm', 'founder_owner', 'general_management'],
    ['Засновниця', 'dm', 'founder_owner', 'general_management'],
    ['CFO', 'dm', 'c_level', 'finance'],
    ['Chief Operating Officer', 'dm', 'c_level', 'operations'],
    ['COO & Board Member', 'dm', 'c_level', 'operations'],
    ['Chairman of the Board', 'dm', 'c_level', 'general_management'],
    ['President', 'dm', 'c_level', 'general_management'],
    ['Vice President, Trading', 'dm', 'vp', 'trading'],
    ['SVP Engineering', 'dm', 'vp', 'technology'],
    ['Wiceprezes zarządu', 'dm', 'vp', null],
    ['General Manager', 'dm', 'director', 'general_management'],
    ['Country Manager Romania', 'dm', 'director', 'general_management'],
    ['Non-Executive Director', 'dm', 'director', 'general_management'],
    ['Commercial Director', 'dm', 'director', 'sales'],
    ['Directeur commercial', 'dm', 'director', 'sales'],
    ['Head of Sportsbook Trading', 'dm', 'head', 'trading'],
    ['Head of VIP', 'dm', 'head', 'customer_service'],
    ['Leiter Kundenservice', 'dm', 'head', 'customer_service'],
    ['General Counsel', 'dm', 'head', 'legal'],
    ['Head of People & Culture', 'dm', 'head', 'people'],
    ['Jefe de Operaciones', 'dm', 'head', 'operations'],
    ['Finansdirektör', 'dm', 'director', 'finance'],
    ['Finanzdirektorin', 'dm', 'director', 'finance'],
    ['Начальник юридического отдела', 'dm', 'head', 'legal'],
  ])
})

describe('patterns of titles', () => {
  test('the files of words have all keys, levels and functions of readings, in their order', () => {
    expect(namesAt('roles')).toEqual(roleKeys)
    expect(namesAt('synonyms')).toEqual(roleKeys)
    expect(namesAt('seniorities')).toEqual(seniorities)
    expect(['general_management', ...namesAt('functions')]).toEqual(jobFunctions)
    for (const role of roleGlossary()) {
      expect([...seniorities, 'any']).toContain(role.seniority)
      expect([...jobFunctions, 'any']).toContain(role.function)
    }
  })

  test('every synonym of a role matches that role', () => {
    const unmatched = roleKeys.flatMap(key =>
      synonymsOf(key)
        .filter(synonym => !readTitle(synonym).roleKeys.includes(key))
        .map(synonym => [key, synonym]),
    )
    expect(unmatched).toEqual([])
  })

  test("a leader's title has a leading seniority and a function", () => {
    const unrecognised = (['cto', 'marketing_leads', 'product_leads'] as const).flatMap(key =>
      synonymsOf(key).filter(synonym => {
        const { seniority, function: named } = readTitle(synonym)
        return (
          seniority === null ||
          seniorities.indexOf(seniority) > seniorities.indexOf('manager') ||
          named === null
        )
      }),
    )
    expect(unrecognised).toEqual([])
  })

  test('every chief executive and technology officer is a decision maker', () => {
    const others = [...synonymsOf('ceo'), ...synonymsOf('cto')].filter(
      synonym => !readTitle(synonym).roleKeys.includes('decision_makers'),
    )
    expect(others).toEqual([])
  })

  test('vice chairs and chiefs in compounds are decision makers; cooks and adjectives are not', () => {
    const rows = [
      ['Vice Chairman', 'director', true],
      ['Executive Vice Chairman', 'director', true],
      ['Vice Chair of the Board', 'director', true],
      ['Viceordförande', 'director', true],
      ['Næstformand', 'director', true],
      ['Vize-Präsident', 'vp', true],
      ['Compliance-chef', 'head', true],
      ['IT-chef', 'head', true],
      ['Chef', null, false],
      ['Küchenchefin', null, false],
      ['Ansvarlig spill', null, false],
      ['Joc responsabil', null, false],
    ]
    const read = rows.map(([title]) => {
      const { seniority, roleKeys: keys } = readTitle(title as string)
      return [title, seniority, keys.includes('decision_makers')]
    })
    expect(read).toEqual(rows)
  })

  test('every pattern of a role matches one of its synonyms', () => {
    // The patterns of these two keys contain word orders that have no synonym.
    const keys = roleKeys.filter(key => key !== 'marketing_leads' && key !== 'product_leads')
    const unmatched = keys.flatMap(key => {
      const synonyms = synonymsOf(key).map(titleWords)
      const isMatched = (pattern: string) => synonyms.some(words => anyOf([pattern]).test(words))
      return patternsAt(`roles.${key}.patterns`)
        .filter(pattern => !isMatched(pattern))
        .map(pattern => [key, pattern])
    })
    expect(unmatched).toEqual([])
  })

  test('readings of titles ignore case and accents', () => {
    const titles = [
      'Geschäftsführer',
      'Prezes Zarządu',
      'Διευθύνων Σύμβουλος',
      'Directeur Général',
      'Head of Payments',
    ]
    for (const title of titles) {
      const spellings = [title.toUpperCase(), title.toLowerCase(), title.normalize('NFD'), `  ${title}  `]
      for (const spelling of spellings) expect(readTitle(spelling), spelling).toEqual(readTitle(title))
    }
  })

  test('any text is read as a title without failing, and equal texts equally', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), title => {
        expect(readTitle(title)).toEqual(readTitle(` ${title}`.slice(1)))
      }),
    )
  })

  test("a role's abbreviation within a longer word does not match", () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(letters, fc.constantFrom('ceo', 'cto', 'cmo'), (more, word) => {
        for (const title of [`zz${more}${word}`, `${word}${more}zz`])
          expect(readTitle(title).roleKeys).not.toContain(word)
      }),
    )
  })

  test('hostile long titles are read in less than a second of processor time', () => {
    const hostile = [
      'head '.repeat(60),
      'director of '.repeat(40),
      'former '.repeat(60),
      'a , '.repeat(100),
      'chief '.repeat(60),
    ]
    expect(processorMs(() => hostile.map(title => readTitle(title)))).toBeLessThan(1_000)
  })
})

import { describe, expect, test } from 'vitest'
import { expectReadings } from './fixture.ts'
import { readTitle } from './read-title.ts'
import { namesAt } from './words.ts'

const languages = namesAt('indirect.former')

type Titles = Record<string, readonly string[]>

const deputies: Titles = {
  en: [
    'Deputy CEO',
    'Deputy Group CEO',
    'Vice CTO',
    'CEO (Deputy)',
    'Deputy to the CEO',
    "CEO's deputy",
    'Deputy Director General',
  ],
  de: [
    'Stellvertretender Geschäftsführer',
    'Stellvertretende Geschäftsführerin',
    'Stv. CEO',
    'Geschäftsführer (stv.)',
    'Geschäftsführer-Stellvertreter',
    'Geschäftsführerstellvertreter',
    'Stellvertreter des Geschäftsführers',
    'Stellv. Technischer Leiter',
    'Vize-Generaldirektor',
  ],
  fr: [
    'Directrice générale adjointe',
    'Directeur général délégué',
    'Directeur technique adjoint',
    'Directrice technique adjointe',
    'Adjoint au directeur technique',
    'Adjointe à la directrice générale',
    'Directeur général opérations adjoint',
    'Vice-président directeur général',
  ],
  es: [
    'Director General Adjunto',
    'Directora general adjunta',
    'Adjunto al CEO',
    'Director Técnico Adjunto',
    'Subdirector General',
    'Consejero delegado suplente',
  ],
  it: [
    'Direttore generale aggiunto',
    'Vice direttore generale',
    'Direttrice tecnica aggiunta',
    'Vicedirettore tecnico',
  ],
  pt: [
    'Vice-Diretor Geral',
    'Diretora-Geral Adjunta',
    'Diretor Técnico Adjunto',
    'Vice-Presidente Executivo',
  ],
  nl: [
    'Plaatsvervangend algemeen directeur',
    'Adjunct-algemeen directeur',
    'Algemeen directeur (plv.)',
    'Adjunct technisch directeur',
  ],
  pl: [
    'Zastępca CEO',
    'Zastępczyni CTO',
    'Zastępca dyrektora generalnego',
    'Wiceprezes zarządu',
    'Wice Prezes',
  ],
  cs: ['Zástupce CEO', 'Zástupkyně CTO', 'Náměstek generálního ředitele', 'Generální ředitel - zástupce'],
  sk: ['Zástupca CEO', 'Zástupkyňa CTO', 'Námestník generálneho riaditeľa'],
  sv: [
    'Vice VD',
    'v. VD',
    'Vice verkställande direktör',
    'Biträdande VD',
    'Ställföreträdande VD',
    'Biträdande teknisk chef',
    'VD:s ställföreträdare',
  ],
  da: [
    'Viceadministrerende direktør',
    'Vice administrerende direktør',
    'Assisterende administrerende direktør',
    'Stedfortrædende CEO',
  ],
  no: ['Assisterende daglig leder', 'Visekonsernsjef', 'Assisterende administrerende direktør', 'Nest CTO'],
  fi: ['Varatoimitusjohtaja', 'Vara-CEO', 'Apulais-CTO', 'CEO:n sijainen', 'Toimitusjohtajan sijainen'],
  ro: [
    'Director general adjunct',
    'Director tehnic adjunct',
    'Directoare generală adjunctă',
    'Director executiv supleant',
  ],
  el: [
    'Αναπληρωτής Διευθύνων Σύμβουλος',
    'Αναπληρώτρια Γενική Διευθύντρια',
    'Αναπληρωτής Τεχνικός Διευθυντής',
  ],
  ru: [
    'Заместитель генерального директора',
    'Зам. CEO',
    'Заместитель CTO',
    'Технический директор (заместитель)',
  ],
  uk: ['Заступник генерального директора', 'Заступниця CEO', 'Технічний директор (заступник)'],
}

const formers: Titles = {
  en: ['Former CEO', 'Ex-CTO', 'CEO emeritus', 'CEO (ret.)', 'Retired Managing Director', 'CEO, former'],
  de: [
    'CEO a.D.',
    'CEO a. D.',
    'Geschäftsführer i.R.',
    'CEO i. R.',
    'CEO (a.D.)',
    'Ehem. Geschäftsführerin',
    'Vormals CTO',
    'Geschäftsführer außer Dienst',
    'Vorstandsvorsitzender im Ruhestand',
  ],
  fr: ['Ancienne directrice générale', 'PDG honoraire', 'PDG retraité', 'Directrice générale à la retraite'],
  es: ['Antiguo director general', 'Ex directora general', 'CEO jubilado', 'Anterior consejero delegado'],
  it: ['Già amministratore delegato', 'Ex direttrice generale', 'Amministratore delegato in pensione'],
  pt: ['Antigo diretor geral', 'Ex-diretora geral', 'CEO aposentado'],
  nl: [
    'Voormalig algemeen directeur',
    'Oud-CEO',
    'Gewezen algemeen directeur',
    'Algemeen directeur buiten dienst',
  ],
  pl: ['Były prezes zarządu', 'Była dyrektor generalna i prezes', 'Poprzedni CEO'],
  cs: ['Bývalý generální ředitel', 'Bývalá jednatelka', 'Generální ředitel v důchodu'],
  sk: ['Bývalý generálny riaditeľ', 'Predchádzajúci konateľ', 'Konateľ na dôchodku'],
  sv: ['F.d. VD', 'fd VD', 'Före detta VD', 'Tidigare verkställande direktör', 'Förre VD'],
  da: ['Tidligere administrerende direktør', 'Fhv. administrerende direktør', 'Forhenværende CEO'],
  no: ['Tidligere daglig leder', 'Tidl. CEO', 'Pensjonert daglig leder'],
  fi: ['Entinen toimitusjohtaja', 'Ent. toimitusjohtaja', 'Toimitusjohtaja (entinen)', 'Aiempi CTO'],
  ro: ['Fost director general', 'Fosta directoare generală', 'Fostul CEO'],
  el: ['Πρώην Διευθύνων Σύμβουλος', 'Τέως Γενική Διευθύντρια'],
  ru: ['Бывший генеральный директор', 'Экс-CEO', 'Генеральный директор в отставке'],
  uk: ['Колишній генеральний директор', 'Колишня виконавча директорка', 'Екс-CEO'],
}

const helpers: Titles = {
  en: ['Advisor to the CEO', 'Senior Adviser to the CTO', 'CEO Coach', 'Assistant to the CEO', "CEO's PA"],
  de: [
    'Berater des CEO',
    'Beraterin der Geschäftsführerin',
    'CEO-Berater',
    'Referentin des CEO',
    'Assistenz CEO',
  ],
  fr: [
    'Conseiller du PDG',
    'Conseillère de la directrice générale',
    'Conseiller spécial auprès du PDG',
    'Chef de cabinet du PDG',
    'Assistante du PDG',
  ],
  es: ['Asesor del CEO', 'Asesora de la directora general', 'Consejera del CTO', 'Ayudante del CEO'],
  it: [
    "Consigliere dell'amministratore delegato",
    'Consulente del CEO',
    'Consulente tecnico del CTO',
    'Assistente del CEO',
  ],
  pt: ['Assessor do CEO', 'Assessora da diretora geral', 'Conselheiro do diretor-geral', 'Secretária do CEO'],
  nl: ['Adviseur van de CEO', 'Adviseur van de algemeen directeur', 'CEO-adviseur', 'Directiesecretaris CEO'],
  pl: ['Doradca CEO', 'Doradczyni prezesa', 'Asystentka CEO', 'Sekretarz CEO'],
  cs: ['Poradce CEO', 'Poradkyně generálního ředitele', 'Asistentka CEO', 'Tajemník CEO'],
  sk: ['Poradca CEO', 'Poradkyňa generálneho riaditeľa', 'Asistentka CEO'],
  sv: ['Rådgivare till VD', 'VD-rådgivare', 'Assistent till VD', 'VD:s assistent'],
  da: ['Rådgiver for CEO', 'Rådgiver til administrerende direktør', 'Sekretær for CEO'],
  no: ['Rådgiver for daglig leder', 'Rådgiver til CEO', 'Sekretær for daglig leder'],
  fi: ['CEO:n neuvonantaja', 'CEO:n assistentti', 'Toimitusjohtajan neuvonantaja', 'CEO:n sihteeri'],
  ro: ['Consilier al CEO', 'Consilierul CEO', 'Asistentă CEO', 'Secretară director general'],
  el: ['Σύμβουλος του CEO', 'Βοηθός CEO', 'Σύμβουλος του Διευθύνοντος Συμβούλου'],
  ru: ['Советник CEO', 'Советник генерального директора', 'Помощница CEO', 'Референт CEO'],
  uk: ['Радник CEO', 'Радниця генерального директора', 'Помічник CEO'],
}

function found(titles: readonly string[] | undefined, keys: readonly string[]) {
  if (titles === undefined) throw new Error('This language has no titles to test.')
  return titles.filter(title => readTitle(title).roleKeys.some(key => keys.includes(key)))
}

const everyKey = ['ceo', 'cto', 'decision_makers', 'marketing_leads', 'product_leads']

describe.each(languages)('offices in %s', language => {
  test("a deputy's title matches neither ceo nor cto", () => {
    expect(found(deputies[language], ['ceo', 'cto'])).toEqual([])
  })

  test('a job title of a former office matches no role', () => {
    expect(found(formers[language], everyKey)).toEqual([])
  })

  test('a title of an adviser or assistant does not match the role of the other person', () => {
    expect(found(helpers[language], everyKey)).toEqual([])
  })
})

test('a title that its holder only aspires to matches no role', () => {
  expectReadings([
    ['Aspiring CEO', '', null, null],
    ['CEO wannabe', '', null, null],
    ['CEO (aspiring)', '', null, null],
    ['CEO-in-waiting', '', null, null],
    ['Founder to be', '', null, null],
    ['CEO-in-waiting, Head of Payments', 'payments dm', 'head', 'payments'],
  ])
})

test('a title with a current office beside a former, deputy or advised office matches its role', () => {
  expectReadings([
    ['Deputy Chairman & CEO', 'ceo dm', 'c_level', 'general_management'],
    ['Vice President & CTO', 'cto dm', 'c_level', 'technology'],
    ['Vice President, Managing Director', 'ceo dm', 'c_level', 'general_management'],
    ['CEO, Deputy Chairman', 'ceo dm', 'c_level', 'general_management'],
    ['CEO, Advisor to startups', 'ceo dm', 'c_level', 'general_management'],
    ['Founder & CEO, former CTO', 'ceo dm', 'c_level', 'general_management'],
    ['Zástupce ředitele a jednatel', 'ceo dm', 'c_level', 'general_management'],
    ['Conseiller de vente et directeur général', 'ceo dm', 'c_level', 'general_management'],
    ['Consejero Delegado', 'ceo dm', 'c_level', 'general_management'],
    ['Διευθύνων Σύμβουλος του Ομίλου', 'ceo dm', 'c_level', 'general_management'],
    ['Acting CEO', 'ceo dm', 'c_level', 'general_management'],
    ['Fractional CTO', 'cto dm', 'c_level', 'technology'],
  ])
})

test("a deputy's title matches roles that several people can have", () => {
  expectReadings([
    ['Zastępca dyrektora generalnego', 'dm', 'c_level', 'general_management'],
    ['Zastępca prezesa zarządu', 'dm', 'vp', null],
    ['Wiceprezes zarządu', 'dm', 'vp', null],
    ['Z-ca dyrektora ds. marketingu', 'marketing_leads dm', 'director', 'marketing'],
    ['Zastępczyni kierownika marketingu', 'marketing_leads', 'manager', 'marketing'],
    ['Zástupce generálního ředitele', 'dm', 'c_level', 'general_management'],
    ['Zást. obchodního ředitele', 'dm', 'director', 'sales'],
    ['Náměstek ředitele pro marketing', 'marketing_leads dm', 'director', 'marketing'],
    ['Zástupkyňa generálneho riaditeľa', 'dm', 'c_level', 'general_management'],
    ['Zástupca vedúceho produktu', 'product_leads dm', 'head', 'product'],
    ['Заместитель генерального директора', 'dm', 'c_level', 'general_management'],
    ['Зам. коммерческого директора', 'dm', 'director', 'sales'],
    ['Заместитель директора по маркетингу', 'marketing_leads dm', 'director', 'marketing'],
    ['Заместитель начальника отдела комплаенс', 'compliance dm', 'head', 'compliance'],
    ['Заступниця генерального директора', 'dm', 'c_level', 'general_management'],
    ['Заст. директора з продукту', 'product_leads dm', 'director', 'product'],
    ['Помощник заместителя генерального директора', '', 'ic', null],
    ['Бывший заместитель директора', '', null, null],
  ])
})

test('titles such as Vice President and Deputy CEO match their own roles', () => {
  expectReadings([
    ['Vice President', 'dm', 'vp', 'general_management'],
    ['Executive Vice President, Technology', 'dm', 'vp', 'technology'],
    ['Deputy CEO', 'dm', 'c_level', 'general_management'],
    ['Directrice générale adjointe', 'dm', 'c_level', 'general_management'],
    ['Deputy Head of Marketing', 'marketing_leads dm', 'head', 'marketing'],
    ['Deputy MLRO', 'compliance dm', 'head', 'compliance'],
    ['Consigliere di amministrazione', 'dm', 'director', null],
    ['VP IR', 'dm', 'vp', null],
    ['Head of A.D.', 'dm', 'head', null],
  ])
})

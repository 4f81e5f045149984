/**
 * The role glossary (§2.17, §4.7): what each key of the people filter means and which titles it takes, in the languages
 * of the field. Both are said by patterns (title-pattern.ts). An exclusion is a look-alike: it is taken out
 * of the title before the patterns are looked for, so that "CEO, former CTO" is a CEO and no CTO.
 */
import { functionWords, generalManagement, type JobFunction } from './function-words.ts'
import { chiefExecutives, type Seniority, seniorityWords } from './seniority-words.ts'

export const roleKeys = [
  'ceo',
  'cto',
  'compliance',
  'payments',
  'affiliates',
  'marketing_leads',
  'product_leads',
  'decision_makers',
] as const
export type RoleKey = (typeof roleKeys)[number]

export type GlossaryRole = {
  description: string
  /** That level; `lead` and `director` take in every level above. */
  seniority: Seniority | 'any'
  function: JobFunction | 'any'
  /** What titles it takes, as patterns; role-synonyms.ts shows them. */
  patterns: readonly string[]
  exclusions: readonly string[]
  /** One person has it, so that a deputy does not: `Deputy CEO` is nobody's CEO. A deputy head still leads. */
  oneOffice?: true
}

/** Who leads, language by language: what stands before or behind the words of a function. */
const leads: Record<string, string> = {
  en: 'head|director|vp|svp|evp|vice president|lead|leader|chief',
  de: 'leiter|leiterin|leitung|bereichsleit*|abteilungsleit*|teamleit*|direktor|direktorin|vorstand',
  fr: 'directeur|directrice|responsable|chef du|chef de la|dir',
  es: 'director|directora|responsable|jefe|jefa|lider',
  it: 'direttore|direttrice|responsabile|capo',
  pt: 'diretor|diretora|responsavel|chefe|lider',
  nl: 'hoofd|directeur|teamleider|leider',
  pl: 'dyrektor|dyrektorka|szef|szefowa|kierownik|kierowniczka|lider',
  cs: 'reditel|reditelka|vedouci|sef|sefka|riaditel|riaditelka|veduci',
  nordic: 'chef|chef for|chef inom|direktor|direktør|leder|sjef|ansvarlig for|ansvarig|johtaja|paallikko',
  ro: 'director|directoare|sef|responsabil',
  el: 'διευθυντής|διευθύντρια|επικεφαλής|υπεύθυνος|υπεύθυνη|προϊστάμενος',
  ru: 'директор|руководитель|начальник|глава|керівник|керівниця|начальниця',
}

/** Patterns for who leads a function, both orders of the words in each language. */
function leading(words: Record<string, string>): string[] {
  return Object.entries(words).flatMap(([language, named]) => [
    `(${leads[language]}) … (${named})`,
    `(${named}) … (${leads[language]})`,
  ])
}

export const roleGlossary: Record<RoleKey, GlossaryRole> = {
  ceo: {
    description: 'The chief executive, or whoever runs the company under another name.',
    seniority: 'c_level',
    function: generalManagement,
    patterns: chiefExecutives,
    exclusions: [],
    oneOffice: true,
  },
  cto: {
    description: 'The chief technology officer, or the technical director.',
    seniority: 'c_level',
    function: 'technology',
    patterns: [
      '(cto|ctpo|cpto)',
      'chief … (technology|technical|tech) officer',
      'chief (technology|technical|tech|technologist)',
      'chief product and technology officer',
      'chief technology and … officer',
      '(technical|technology) director',
      'director of (technology|engineering and technology)',
      '(technischer direktor|technischer geschaftsfuhrer|technikvorstand|leiter technologie)',
      '(directeur technique|directrice technique|directeur de la technologie)',
      '(director tecnico|directora tecnica|director de tecnologia|directora de tecnologia)',
      '(direttore tecnico|direttrice tecnica|direttore tecnologia)',
      '(diretor tecnico|diretora tecnica|diretor de tecnologia|diretora de tecnologia)',
      '(technisch directeur|technologiedirecteur)',
      '(dyrektor techniczny|dyrektor ds technologii|dyrektor do spraw technologii)',
      '(technicky reditel|technicka reditelka|technicky riaditel|technologicky reditel)',
      '(teknisk direktor|teknisk chef|teknikchef|teknologidirektor|teknologichef|teknologidirektør|teknisk direktør)',
      '(teknologiajohtaja|tekninen johtaja)',
      '(director tehnic|director de tehnologie)',
      '(τεχνικός διευθυντής|διευθυντής τεχνολογίας)',
      '(технический директор|директор по технологиям)',
      '(технічний директор|директор з технологій)',
    ],
    exclusions: ['field (cto|chief technology officer)'],
    oneOffice: true,
  },
  compliance: {
    description: 'Compliance, anti-money-laundering, regulatory affairs and safer gambling, at any level.',
    seniority: 'any',
    function: 'compliance',
    patterns: functionWords.compliance.words,
    exclusions: [
      ...functionWords.compliance.without,
      '(sales|marketing|recruiter|recruitment|recruiting) … compliance',
      'compliance (software|saas|tech|training) (sales|recruiter)',
      'kyc agent',
    ],
  },
  payments: {
    description: 'Payments, acquiring and the cashier of a site, at any level.',
    seniority: 'any',
    function: 'payments',
    patterns: functionWords.payments.words,
    exclusions: functionWords.payments.without,
  },
  affiliates: {
    description: 'Affiliate and partner programs, at any level.',
    seniority: 'any',
    function: 'affiliates',
    patterns: functionWords.affiliates.words,
    exclusions: functionWords.affiliates.without,
  },
  marketing_leads: {
    description: 'Those who lead marketing, brand, growth or acquisition: leads, heads, directors and above.',
    seniority: 'lead',
    function: 'marketing',
    patterns: [
      '(cmo|chief marketing)',
      'chief … (marketing|brand|growth) officer',
      ...leading({
        en: 'marketing|growth|brand|branding|crm|acquisition|advertising|communications|seo|ppc|pr|media buying',
        de: 'marketing|online marketing|werbung|markenfuhrung',
        fr: 'marketing|communication|acquisition|crm',
        es: 'marketing|mercadotecnia|mercadeo|publicidad|comunicacion|crm|adquisicion',
        it: 'marketing|comunicazione|crm',
        pt: 'marketing|publicidade|comunicacao|crm',
        nl: 'marketing|communicatie|crm',
        pl: 'marketingu|marketing|crm',
        cs: 'marketingu|marketing|marketingovy|marketingova|crm',
        nordic: 'marketing|markedsforing|markedsføring|marknad|marknadsforing|marked|markkinointi|crm',
        ro: 'marketing|comunicare|crm',
        el: 'marketing|μάρκετινγκ|επικοινωνίας',
        ru: 'маркетингу|маркетинга|маркетинг|маркетингом|рекламе|рекламы',
      }),
      '(marketingleit*|marketingdirektor*|marketingvorstand*|marketingdirecteur|marketinghoofd)',
      '(marketingchef*|markedschef*|markedsdirektor*|markedsdirektør*|marknadschef*|marknadsdirektor*|markedssjef*|markedsføringschef*|markkinointijohtaja|markkinointipaallikko)',
      '(маркетинг директор|marketing igazgato|marketingvezeto|pazarlama direktoru)',
    ],
    exclusions: [
      'lead (gen|generation|generator|nurturing|qualification)',
      '(head|director|lead|vp) … (merchant|customer|talent|data|it) acquisition',
      '(merchant|talent|data) acquisition',
      '(brand|marketing|growth) (assistant|intern|ambassador)',
      'brand ambassador*',
      'affiliate … marketing',
    ],
  },
  product_leads: {
    description: 'Those who lead product: product leads, heads of product, product directors and above.',
    seniority: 'lead',
    function: 'product',
    patterns: [
      '(cpo|cpto|ctpo|chief product)',
      'chief … product … officer',
      '(group|principal|lead|staff|senior lead) product manager',
      ...leading({
        en: 'product|products|ux',
        de: 'produkt|produkte|produktmanagement|produktentwicklung|product',
        fr: 'produit|produits|product',
        es: 'producto|productos|product',
        it: 'prodotto|prodotti|product',
        pt: 'produto|produtos|product',
        nl: 'product|producten|productontwikkeling',
        pl: 'produktu|produktow|produktowy|produkt|product',
        cs: 'produktu|produkt|produktovy|produktova|product',
        nordic: 'produkt|produkter|produktutveckling|produktudvikling|tuote|product',
        ro: 'produs|produse|product',
        el: 'προϊόντος|προϊόντων|product',
        ru: 'продукту|продукта|продуктов|продуктом|продуктами|продукт',
      }),
      '(produktleit*|produktdirektor*|produktdirektør*|productdirecteur|produktchef*|produktsjef*|tuotejohtaja)',
    ],
    exclusions: [
      'product (marketing|owner|support|photography|safety|liability|sales|design intern)',
      '(produktmarketing|marketing produit|marketing de producto)',
      'chief (people|procurement|privacy|purchasing) officer cpo',
      'cpo … (people|procurement|privacy|purchasing)',
      '(chef de produit|chef de produits|cheffe de produit)',
    ],
  },
  decision_makers: {
    description:
      'Directors and everyone above, of any function: founders, owners, executives, vice presidents, heads.',
    seniority: 'director',
    function: 'any',
    patterns: [
      ...seniorityWords.c_level.words,
      ...seniorityWords.founder_owner.words,
      ...seniorityWords.vp.words,
      ...seniorityWords.head.words,
      ...seniorityWords.director.words,
    ],
    exclusions: [
      ...(seniorityWords.founder_owner.without ?? []),
      ...(seniorityWords.head.without ?? []),
      ...(seniorityWords.director.without ?? []),
    ],
  },
}

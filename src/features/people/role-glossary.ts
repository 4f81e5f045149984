/** The role glossary (§2.17, §4.7). Exclusions are removed from a title before the patterns are matched. */
import {
  functionWords,
  generalManagement,
  type JobFunction,
  otherAcquisition,
  responsibleGaming,
} from './function-words.ts'
import { leading } from './leading-words.ts'
import { chiefExecutives, type Seniority, seniorityWords } from './seniority-words.ts'

const stage = [
  'broadcast|broadcasting|television|theatre|theater|teatro|teatr|divadlo|film|vfx|animation|stage|concerts|opera',
  'football|soccer|futbol|futebol|calcio|fussball|voetbal|fodbold|fotboll|cricket|rugby|hockey|handball|basketball',
].join('|')

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
  /** `lead` and `director` include all higher levels. */
  seniority: Seniority | 'any'
  function: JobFunction | 'any'
  patterns: readonly string[]
  exclusions: readonly string[]
  /** A deputy does not match: `Deputy CEO` is not a CEO. */
  oneOffice?: true
}

export const roleGlossary: Record<RoleKey, GlossaryRole> = {
  ceo: {
    description: 'The chief executive, or the head of the company under another title.',
    seniority: 'c_level',
    function: generalManagement,
    patterns: chiefExecutives,
    exclusions: [
      'chief executive chef',
      '(director ejecutivo|directora ejecutiva) (de|del|comercial|financiero|financiera|creativo|creativa|tecnico|tecnica|regional)',
    ],
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
      '(technischer|technische) (direktor|direktorin|leiter|leiterin|leitung|geschaftsfuhrer|geschaftsfuhrerin|geschaeftsfuehrer|geschaeftsfuehrerin|vorstand)',
      '(leiter|leiterin|leitung|vorstand) (technik|technologie|der technik)',
      '(technikvorstand|technologievorstand|technikleiter|technikleiterin|technikchef|technikchefin|technologiechef|technologiechefin)',
      '(directeur|directrice) (technique|technologique|technologie|des technologies|de la technologie|de la technique)',
      '(director tecnico|directora tecnica|director tecnologico|directora tecnologica|director de tecnologia|directora de tecnologia)',
      '(direttore|direttrice) (tecnico|tecnica|tecnologico|tecnologica|tecnologia|tecnologie|della tecnologia)',
      '(diretor|diretora) (tecnico|tecnica|tecnologico|tecnologica|de tecnologia|de tecnologias)',
      '(technisch directeur|technisch directrice|technologiedirecteur|directeur techniek|directeur technologie|hoofd techniek|hoofd technologie)',
      '(dyrektor|dyrektorka) (techniczny|techniczna|technologiczny|technologiczna|technologii|ds technologii|do spraw technologii|ds technicznych)',
      '(technicky reditel|technicka reditelka|technologicky reditel|technologicka reditelka)',
      '(technicky riaditel|technicka riaditelka|technologicky riaditel|technologicka riaditelka)',
      '(reditel|reditelka|riaditel|riaditelka) (technologii|pro technologie|pre technologie)',
      '(teknisk direktor|teknisk chef|teknikchef|teknikdirektor|teknologidirektor|teknologichef|teknisk sjef|teknologisjef)',
      '(teknologiajohtaja|tekninen johtaja)',
      '(director tehnic|directoare tehnica|directorul tehnic|director de tehnologie|directoare de tehnologie)',
      '(τεχνικός διευθυντής|τεχνική διευθύντρια|διευθυντής τεχνολογίας|διευθύντρια τεχνολογίας)',
      '(технический директор|техдиректор|директор по технологиям)',
      '(технічний директор|технічна директорка|директор з технологій|директорка з технологій|директор із технологій)',
    ],
    exclusions: [
      'field (cto|chief technology officer)',
      // Of a stage, a broadcast or a sport.
      `(${stage}) technical director`,
      `(technical director|directeur technique|directrice technique|direttore tecnico|direttrice tecnica|director tecnico|directora tecnica|diretor tecnico|diretora tecnica|technischer direktor|technisch directeur|teknisk direktor|teknisk chef|dyrektor techniczny|technicky reditel|технический директор|технічний директор) … (${stage})`,
    ],
    oneOffice: true,
  },
  compliance: {
    description: 'Compliance, anti-money-laundering, regulatory affairs and safer gambling, at any level.',
    seniority: 'any',
    function: 'compliance',
    patterns: functionWords.compliance.words,
    exclusions: [
      ...functionWords.compliance.without,
      '(sales|marketing|recruiter|recruitment|recruiting) … (compliance and aml|aml and compliance|compliance|aml)',
      '(compliance|aml) (recruiter|recruitment|recruiting|headhunter)',
      'compliance (software|saas|tech|training) (sales|recruiter)',
      'kyc agent',
    ],
  },
  payments: {
    description: 'Payments, acquiring and the cashier of a site, at any level.',
    seniority: 'any',
    function: 'payments',
    patterns: functionWords.payments.words,
    exclusions: [
      ...functionWords.payments.without,
      '(recruiter|recruitment|recruiting) … (payment|payments)',
      '(payment|payments) (recruiter|recruitment|recruiting|headhunter)',
    ],
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
      ...leading(
        {
          en: 'acquisition|advertising|communications|pr',
          de: 'online marketing|werbung|markenfuhrung|markenkommunikation',
          fr: 'communication|publicite|acquisition|marque',
          es: 'mercadotecnia|mercadeo|publicidad|comunicacion|adquisicion|marca',
          it: 'comunicazione|pubblicita|acquisizione',
          pt: 'publicidade|comunicacao|aquisicao|marca',
          nl: 'communicatie|reclame|merk',
          pl: 'marketingu|marketingow*|reklamy|komunikacji|marki',
          cs: 'marketingu|marketingov*|reklamy|komunikace|komunikacie|znacky',
          nordic:
            'markedsforing|marknad|marknadsforing|marked|kommunikation|kommunikasjon|reklam|varumarke|markkinointi|markkinoinnin|markkinoinnista|viestinta|viestinnan',
          ro: 'marketingului|comunicare|publicitate',
          el: 'μάρκετινγκ|επικοινωνίας|διαφήμισης',
          ru: 'маркетинг*|реклам*|бренд*|продвижени*|просування',
        },
        'marketing|brand|branding|crm|growth|seo|ppc|media buying',
      ),
      '(marketingleit*|marketingdirektor*|marketingvorstand*|marketingverantwortlich*|marketingdirecteur|marketinghoofd)',
      '(gerente|gerenta) … (marketing|mercadeo|mercadotecnia|publicidad|publicidade)',
      '(marketingchef*|markedschef*|markedsdirektor*|markedsdirektør*|marknadschef*|marknadsdirektor*|markedssjef*|markedsføringschef*|marknadsansvarig|marketingansvarig|markedsansvarlig|marketingansvarlig|markkinointijohtaja|markkinointipaallikko)',
      '(kommunikationschef*|kommunikationsdirekt*|kommunikasjonssjef*|kommunikasjonsdirekt*|viestintajohtaja|viestintapaallikko)',
      '(маркетинг директор|marketing igazgato|marketingvezeto|pazarlama direktoru)',
    ],
    exclusions: [
      'lead (gen|generation|generator|nurturing|qualification)',
      `(head|director|lead|vp) … (${otherAcquisition}) acquisition`,
      '(merchant|talent|data|land|property|site|real estate|asset|content) acquisition',
      '(chief medical officer … cmo|cmo … chief medical officer)',
      '(brand|marketing|growth) (assistant|intern|ambassador)',
      'brand ambassador*',
      'affiliate … marketing',
      `(${responsibleGaming})`,
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
      ...leading(
        {
          en: 'ux',
          de: 'produkt|produkte|produktmanagement|produktentwicklung|produktstrategie',
          fr: 'produit|produits',
          es: 'producto|productos',
          it: 'prodotto|prodotti',
          pt: 'produto|produtos',
          nl: 'producten|productontwikkeling|productmanagement',
          pl: 'produkt|produktu|produktow*',
          cs: 'produkt|produktu|produktov*',
          nordic:
            'produkt|produkter|produktutveckling|produktudvikling|produktutvikling|tuote|tuotteen|tuotteiden|tuotekehitys|tuotekehityksen',
          ro: 'produs|produse|produsului|produselor',
          el: 'προϊόντος|προϊόντων',
          ru: 'продукт*',
        },
        'product|products',
      ),
      '(produktleit*|produktdirektor*|produktdirektør*|productdirecteur|produktchef*|produktsjef*|produktvorstand*|produktverantwortlich*|tuotejohtaja|tuotekehitysjohtaja)',
    ],
    exclusions: [
      'product (marketing|owner|support|photography|safety|liability|sales|design intern)',
      '(produktmarketing|marketing produit|marketing de producto|продуктов* маркетинг*)',
      `(${responsibleGaming})`,
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

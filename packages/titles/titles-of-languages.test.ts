import { expect, test } from 'vitest'
import { readTitle } from './read-title.ts'
import { type RoleKey, roleKeys } from './role-glossary.ts'
import { namesAt } from './words.ts'

const titles: Record<string, Record<RoleKey, readonly string[]>> = {
  de: {
    ceo: ['Geschäftsführerin', 'Vorsitzender der Geschäftsführung und CEO', 'Geschäftsleiter'],
    cto: [
      'Technischer Leiter',
      'Technische Leiterin',
      'Leiter Technik',
      'Leiterin Technologie',
      'Technikvorstand',
    ],
    compliance: [
      'Compliancemanager',
      'Compliance-Beauftragte',
      'Geldwäschebeauftragte',
      'Leiterin Spielerschutz',
    ],
    payments: ['Leiter Zahlungsverkehr', 'Paymentmanagerin', 'Referentin Zahlungsabwicklung'],
    affiliates: ['Affiliatemanager', 'Affiliate-Managerin', 'Leiter Partnerprogramm'],
    marketing_leads: ['Marketingverantwortliche', 'Marketing-Chefin', 'Leiter Werbung', 'Leitung Marketing'],
    product_leads: ['Leiterin Produkt', 'Produktvorstand', 'Leitung Produktmanagement'],
    decision_makers: [
      'Finanzvorstand',
      'Geschäftsführender Gesellschafter',
      'Finanzleiterin',
      'Vorsitzender des Aufsichtsrats',
    ],
  },
  fr: {
    ceo: ['Directrice générale', 'Président-directeur général', 'Administratrice déléguée', 'Gérant'],
    cto: ['Directrice technique', 'Directeur de la technologie', 'Directeur technologique'],
    compliance: [
      'Responsable Jeu Responsable',
      'Chargée de conformité',
      'Analyste lutte anti-blanchiment',
      'Déontologue',
    ],
    payments: ['Responsable des moyens de paiement', 'Chargé de paiements', 'Responsable monétique'],
    affiliates: ["Chargée d'affiliation", 'Responsable des affiliés'],
    marketing_leads: ['Responsable CRM', 'Directrice de la communication', 'Responsable publicité'],
    product_leads: ['Directrice Produit', 'Responsable produits'],
    decision_makers: [
      'Présidente',
      'Cheffe du service juridique',
      'Membre du directoire',
      'Directrice financière',
    ],
  },
  es: {
    ceo: ['Directora General', 'Consejera Delegada', 'Director Gerente', 'Director Ejecutivo'],
    cto: ['Directora de Tecnología', 'Director Tecnológico', 'Director Técnico'],
    compliance: [
      'Responsable de Juego Responsable',
      'Oficial de Cumplimiento',
      'Analista de prevención de blanqueo de capitales',
    ],
    payments: ['Responsable de Pagos', 'Gestor de medios de pago'],
    affiliates: ['Responsable de Afiliados', 'Gestora de afiliación', 'Gerente de afiliaciones'],
    marketing_leads: [
      'Gerente de Marketing',
      'Jefa de Publicidad',
      'Responsable de CRM',
      'Directora de Comunicación',
    ],
    product_leads: ['Jefe de Producto', 'Directora de Producto'],
    decision_makers: ['Presidenta', 'Director Financiero', 'Socia fundadora', 'Miembro del Consejo'],
  },
  it: {
    ceo: ['Amministratrice delegata', 'Direttore Generale'],
    cto: ['Direttrice tecnica', 'Direttore Tecnologico'],
    compliance: [
      'Responsabile Gioco Responsabile',
      'Addetto antiriciclaggio',
      'Responsabile affari regolatori',
    ],
    payments: ['Responsabile pagamenti', 'Addetta ai pagamenti'],
    affiliates: ['Responsabile affiliazioni', 'Responsabile affiliati'],
    marketing_leads: ['Responsabile brand', 'Direttrice comunicazione', 'Responsabile pubblicità'],
    product_leads: ['Responsabile di prodotto', 'Direttore prodotti'],
    decision_makers: ['Presidente', 'Direttore finanziario', 'Socio unico', 'Membro del CdA'],
  },
  pt: {
    ceo: ['Diretora-Geral', 'Administradora Delegada', 'Presidente Executivo'],
    cto: ['Diretora de Tecnologia', 'Diretor Tecnológico'],
    compliance: [
      'Gerente de Jogo Responsável',
      'Analista de branqueamento de capitais',
      'Diretora de conformidade',
    ],
    payments: ['Gerente de Pagamentos', 'Analista de meios de pagamento'],
    affiliates: ['Gestora de Afiliados', 'Gerente de afiliação'],
    marketing_leads: ['Gerente de Marketing', 'Responsável de CRM', 'Diretora de Publicidade'],
    product_leads: ['Diretor de Produtos', 'Líder de Produto'],
    decision_makers: ['Presidente', 'Sócio-gerente', 'Diretora Financeira', 'Membro do Conselho'],
  },
  nl: {
    ceo: ['Algemeen directeur', 'Directeur-bestuurder', 'Voorzitter van de Raad van Bestuur'],
    cto: ['Technisch directeur', 'Directeur Technologie', 'Hoofd Techniek'],
    compliance: ['Compliancemanager', 'Medewerker Wwft', 'Manager Verantwoord Spelen'],
    payments: ['Hoofd betalingsverkeer', 'Betalingsspecialist'],
    affiliates: ['Affiliatemanager', 'Beheerder partnerprogramma'],
    marketing_leads: ['Hoofd marketing', 'Hoofd communicatie', 'Verantwoordelijke marketing'],
    product_leads: ['Hoofd productmanagement', 'Productdirecteur'],
    decision_makers: ['Mede-eigenaar', 'Voorzitter', 'Financieel directeur', 'Lid van de raad van bestuur'],
  },
  pl: {
    ceo: ['Prezeska zarządu', 'Dyrektorka generalna', 'Dyrektor zarządzający'],
    cto: ['Dyrektorka techniczna', 'Dyrektor ds. technologii', 'Dyrektor technologiczny'],
    compliance: [
      'Specjalistka ds. zgodności',
      'Specjalista ds. przeciwdziałania praniu pieniędzy',
      'Menedżer ds. odpowiedzialnej gry',
    ],
    payments: ['Specjalista ds. płatności', 'Kierownik usług płatniczych', 'Zarządzanie płatnościami'],
    affiliates: ['Kierownik programu partnerskiego', 'Specjalista ds. afiliacji'],
    marketing_leads: ['Dyrektor marketingowy', 'Szefowa reklamy', 'Kierowniczka CRM'],
    product_leads: ['Dyrektorka produktu', 'Szef działu produktowego'],
    decision_makers: ['Członkini zarządu', 'Wicedyrektor', 'Współwłaściciel', 'Dyrektor finansowy'],
  },
  cs: {
    ceo: ['Generální ředitelka', 'Jednatelka', 'Předsedkyně představenstva'],
    cto: ['Technická ředitelka', 'Ředitel technologií'],
    compliance: [
      'Specialista na praní špinavých peněz',
      'Manažer zodpovědného hraní',
      'Referent dodržování předpisů',
    ],
    payments: ['Vedoucí plateb', 'Specialista platebních metod', 'Manažerka platebního styku'],
    affiliates: ['Manažer partnerského programu', 'Affiliate manažerka'],
    marketing_leads: ['Marketingová ředitelka', 'Šéfka marketingu', 'Vedoucí reklamy'],
    product_leads: ['Vedoucí produktu', 'Produktová ředitelka'],
    decision_makers: ['Členka představenstva', 'Majitelka', 'Finanční ředitel', 'Šéfka obchodu'],
  },
  sk: {
    ceo: ['Generálna riaditeľka', 'Konateľka', 'Výkonná riaditeľka'],
    cto: ['Technická riaditeľka', 'Riaditeľ pre technológie'],
    compliance: [
      'Špecialista na pranie špinavých peňazí',
      'Manažér zodpovedného hrania',
      'Dodržiavanie predpisov',
    ],
    payments: ['Vedúci platieb', 'Manažér platobných služieb', 'Špecialista na platby'],
    affiliates: ['Manažér partnerského programu', 'Affiliate manažér'],
    marketing_leads: ['Riaditeľka marketingu', 'Vedúca marketingu'],
    product_leads: ['Vedúci produktu', 'Riaditeľka produktu'],
    decision_makers: ['Člen predstavenstva', 'Finančný riaditeľ', 'Majiteľ', 'Vedúca oddelenia'],
  },
  sv: {
    ceo: ['Verkställande direktör', 'VD och koncernchef'],
    cto: ['Teknisk chef', 'Teknikdirektör', 'Teknikchef'],
    compliance: [
      'Complianceansvarig',
      'Penningtvättsansvarig',
      'Chef för spelansvar',
      'Specialist regelefterlevnad',
    ],
    payments: ['Betalningsansvarig', 'Ansvarig för betalningar', 'Chef betaltjänster'],
    affiliates: ['Affiliatechef', 'Affiliateansvarig', 'Partnerprogramansvarig'],
    marketing_leads: [
      'Marknadsansvarig',
      'Kommunikationschef',
      'Chef för marknadsföring',
      'Marknadsdirektör',
    ],
    product_leads: ['Produktchef', 'Chef för produktutveckling'],
    decision_makers: ['Styrelseordförande', 'Ekonomichef', 'Finansdirektör', 'Delägare'],
  },
  da: {
    ceo: ['Administrerende direktør', 'Adm. dir.'],
    cto: ['Teknisk direktør', 'Teknologichef'],
    compliance: ['Complianceansvarlig', 'Hvidvaskansvarlig', 'Chef for ansvarligt spil'],
    payments: ['Ansvarlig for betalinger', 'Betalingsspecialist', 'Chef for betalingstjenester'],
    affiliates: ['Affiliatemanager', 'Affiliateansvarlig'],
    marketing_leads: ['Marketingdirektør', 'Kommunikationschef', 'Marketingansvarlig'],
    product_leads: ['Produktdirektør', 'Chef for produktudvikling'],
    decision_makers: ['Bestyrelsesformand', 'Økonomidirektør', 'Indehaver', 'Medstifter'],
  },
  no: {
    ceo: ['Daglig leder', 'Konsernsjef'],
    cto: ['Teknologidirektør', 'Teknisk sjef', 'Teknologisjef'],
    compliance: ['Hvitvaskingsansvarlig', 'Leder for ansvarlig spill', 'Etterlevelsesansvarlig'],
    payments: ['Ansvarlig for betalinger', 'Betalingsansvarlig'],
    affiliates: ['Affiliatesjef', 'Affiliateansvarlig'],
    marketing_leads: ['Markedssjef', 'Kommunikasjonsdirektør', 'Leder markedsføring'],
    product_leads: ['Produktsjef', 'Leder produktutvikling'],
    decision_makers: ['Styreleder', 'Økonomisjef', 'Innehaver', 'Medgründer'],
  },
  fi: {
    ceo: ['Toimitusjohtaja', 'Konsernijohtaja'],
    cto: ['Teknologiajohtaja', 'Tekninen johtaja'],
    compliance: ['Rahanpesun estämisen asiantuntija', 'Vaatimustenmukaisuusjohtaja', 'Compliance-päällikkö'],
    payments: ['Maksuliikennepäällikkö', 'Maksupalveluasiantuntija', 'Maksujen asiantuntija'],
    affiliates: ['Affiliate-päällikkö', 'Kumppaniohjelman vetäjä'],
    marketing_leads: ['Markkinoinnin johtaja', 'Viestintäjohtaja', 'Markkinointipäällikkö'],
    product_leads: ['Tuotejohtaja', 'Tuotekehityksen johtaja'],
    decision_makers: ['Hallituksen puheenjohtaja', 'Talousjohtaja', 'Osaomistaja', 'Hallituksen jäsen'],
  },
  ro: {
    ceo: ['Directoare generală', 'Director executiv'],
    cto: ['Directoare tehnică', 'Director de tehnologie'],
    compliance: [
      'Ofițer de conformitate',
      'Specialist joc responsabil',
      'Specialist prevenirea spălării banilor',
    ],
    payments: ['Responsabil plăți', 'Specialist plata online'],
    affiliates: ['Manager afiliere', 'Responsabil afiliați'],
    marketing_leads: ['Șefă marketing', 'Director de publicitate', 'Responsabil CRM'],
    product_leads: ['Director de produs', 'Responsabil produse'],
    decision_makers: [
      'Președinte',
      'Director financiar',
      'Cofondatoare',
      'Membru al consiliului de administrație',
    ],
  },
  el: {
    ceo: ['Διευθύνουσα Σύμβουλος', 'Γενικός Διευθυντής'],
    cto: ['Τεχνική Διευθύντρια', 'Διευθυντής Τεχνολογίας'],
    compliance: ['Υπεύθυνος Συμμόρφωσης', 'Υπεύθυνη Υπεύθυνου Παιχνιδιού', 'Αναλυτής Ξεπλύματος Χρήματος'],
    payments: ['Υπεύθυνη Πληρωμών', 'Ειδικός πληρωμών'],
    affiliates: ['Υπεύθυνος προγράμματος συνεργατών', 'Affiliate Manager Ελλάδας'],
    marketing_leads: ['Υπεύθυνη Μάρκετινγκ', 'Διευθυντής Διαφήμισης', 'Προϊσταμένη Επικοινωνίας'],
    product_leads: ['Διευθύντρια Προϊόντος', 'Επικεφαλής Προϊόντων'],
    decision_makers: [
      'Πρόεδρος',
      'Οικονομικός Διευθυντής',
      'Συνιδρύτρια',
      'Μέλος του Διοικητικού Συμβουλίου',
    ],
  },
  ru: {
    ceo: ['Генеральный директор', 'Управляющий директор', 'Ген. директор'],
    cto: ['Технический директор', 'Директор по технологиям', 'Техдиректор'],
    compliance: [
      'Комплаенс-менеджер',
      'Специалист по финансовому мониторингу',
      'Руководитель ответственной игры',
    ],
    payments: [
      'Директор по платежам',
      'Менеджер по платежам',
      'Специалист по эквайрингу',
      'Менеджер платёжных систем',
    ],
    affiliates: ['Аффилейт-менеджер', 'Менеджер партнёрской программы', 'Менеджер партнёрки'],
    marketing_leads: ['Директор по маркетингу', 'Руководитель отдела рекламы', 'Бренд-директор'],
    product_leads: ['Продуктовый директор', 'Руководитель продуктов'],
    decision_makers: [
      'Президент',
      'Финансовый директор',
      'Член совета директоров',
      'Заведующая отделом',
      'Собственник',
    ],
  },
  uk: {
    ceo: ['Генеральна директорка', 'Виконавчий директор'],
    cto: ['Технічна директорка', 'Директор з технологій'],
    compliance: [
      'Комплаєнс-менеджер',
      'Спеціаліст з фінансового моніторингу',
      'Керівниця відповідальної гри',
    ],
    payments: ['Менеджер з платежів', 'Керівник платіжного відділу', 'Спеціалістка з еквайрингу'],
    affiliates: ['Афілейт-менеджер', 'Менеджерка партнерської програми'],
    marketing_leads: ['Керівниця маркетингу', 'Директорка з реклами', 'Очільник маркетингу'],
    product_leads: ['Директор з продукту', 'Керівниця продукту'],
    decision_makers: ['Президентка', 'Фінансовий директор', 'Співзасновниця', 'Завідувачка відділу'],
  },
}

test('titles in each language match their role', () => {
  const unmatched = Object.entries(titles).flatMap(([language, byKey]) =>
    roleKeys.flatMap(key =>
      byKey[key]
        .filter(title => !readTitle(title).roleKeys.includes(key))
        .map(title => [language, key, title]),
    ),
  )
  expect(Object.keys(titles)).toEqual(namesAt('indirect.former').filter(language => language !== 'en'))
  expect(unmatched).toEqual([])
})

test('words with another meaning in a language match no wrong role', () => {
  const rows = [
    ['Especialista en Juego Responsable', 'compliance'],
    ['Specialista Gioco Responsabile', 'compliance'],
    ['Especialista em Jogo Responsável', 'compliance'],
    ['Subgerente de Marketing', ''],
    ['Gerente de Producto', ''],
    ['Director Ejecutivo Comercial', 'decision_makers'],
    ['Gerente de Casino Mar del Plata', ''],
    ['Маркетолог', ''],
    ['Affiliated Lecturer', ''],
  ]
  expect(rows.map(([title]) => [title, readTitle(title as string).roleKeys.join(' ')])).toEqual(rows)
})

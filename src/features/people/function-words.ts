/**
 * By which words of a title its function is known; the language of patterns is that of title-pattern.ts. Of several, the
 * one that is named first is meant, and of two that begin at one word the one that stands first here.
 */
export const functionWords = {
  affiliates: {
    words: [
      '(affiliate|affiliates|affiliation|afiliados|afiliacion|afiliacao|affiliati|affiliazione|afiliacji|afiliacja|affiliatemarketing|affiliateprogramm*)',
      '(affiliate|partner) (program|programme|programm|programa|programma)',
      '(партнерск*|партнерськ*|аффилиат*|афіліат*|pridruzen*|συνεργατών)',
    ],
    without: [
      'affiliate (professor|faculty|member|broker|agent|realtor|scientist|researcher|lecturer|instructor|attorney)',
      '(партнерские отношения|партнерських відносин)',
    ],
  },
  compliance: {
    words: [
      '(compliance|aml|amlro|mlro|dmlro|kyc|cft|regulatory|regulation)',
      '(anti money laundering|antimoney laundering|money laundering reporting officer|nominated officer)',
      '(responsible|safer) (gambling|gaming)',
      '(geldwasche*|geldwaesche*|regulierung|spielerschutz*)',
      '(conformite|conformidad|cumplimiento|conformita|antiriciclaggio|conformidade|conformitate)',
      '(compliancebeauftragt*|complianceleit*|compliancechef*|complianceansvarlig|complianceansvarig)',
      '(witwas*|zgodnosci|regelefterlevnad|hvidvask*|hvitvask*|penningtvatt*)',
      '(συμμόρφωσης|συμμόρφωση|комплаенс*|комплаєнс*|соответстви*|відповідності)',
    ],
    without: [
      '(trade|export|import|customs|tax|environmental|patient|treatment|medication|trust|accessibility|food|fire|building|code) compliance',
      '(non|pci) compliance',
      '(voltage|pressure|temperature) regulation',
    ],
  },
  payments: {
    words: [
      '(payment|payments|paytech|psp|acquiring|cashier)',
      '(zahlungsverkehr|zahlungen|zahlungs*|bezahl*|paiement|paiements|pagos|pago|pagamenti|pagamento|pagamentos)',
      '(betalingen|betalings*|betaling|betaal*|betalningar|betalning|betalnings*)',
      '(platnosci|platniczych|platniczy|platby|platieb|platebni|platebnich|plati|plăților)',
      '(πληρωμών|πληρωμές|платежей|платежи|платежн*|платежів|платіжн*|maksud|maksut|odemeler|fizetesi)',
    ],
    without: [
      'payment card',
      '(payment|payments) (collector|collections|collection|fraud victim|plan|plans|dispute victim|poster|posting|clerk)',
      '(down|rent|late|bill|welfare|ransom|royalty|benefit|benefits) (payment|payments)',
      '(head|senior|junior|duty|relief|cage|retail|casino|bingo|shop|store|betting|bookmaker|counter|desk|bank) cashier',
      'cashier (supervisor|clerk|attendant)',
    ],
  },
  marketing: {
    words: [
      '(marketing*|*marketing|growth|brand|branding|crm|acquisition|advertising|seo|ppc|communications|pr|media buying|cmo)',
      '(mercadotecnia|mercadeo|publicidad|communication|communicatie|kommunikation*|marknad*|markeds*|marked|marketingu|pazarlama|markkinointi*)',
      '(μάρκετινγκ|маркетинг*|реклам*)',
    ],
    without: ['(merchant|customer|talent|data|it|player funds) acquisition', 'acquisition (finance|law*)'],
  },
  product: {
    words: [
      '(product|products|produkt|produkte|produktmanag*|produktleit*|produktchef*|produktu|produktov*|produit|produits|producto|productos|prodotto|prodotti|produto|produtos|cpo|cpto|ux)',
      '(productmanager|producteigenaar|tuote*|produse|termek*)',
      '(προϊόντος|προϊόντων|продукт*)',
    ],
    without: [
      '(product|products) (support|photography|liability|safety|marketing)',
      'cpo … (people|procurement|privacy|purchasing)',
      'chief (people|procurement|privacy|purchasing) officer cpo',
    ],
  },
  technology: {
    words: [
      '(technology|technologies|technical|tech|engineering|engineer|software|developer|development team|devops|it|infrastructure|architecture|architect|platform|cto|ctpo|cio)',
      'chief information officer',
      '(technik|technisch*|entwickl*|informatik|informatique|technique|informatica|tecnologia|tecnico|tecnica|technologi*|techniczn*|technick*|teknik*|teknisk|utvecklare|utvikler|udvikler|programista|programador*|sviluppo|desarrollo|desenvolvimento)',
      '(τεχνικός|τεχνολογίας|πληροφορικής|технич*|технолог*|технічн*|разработ*|розроб*)',
    ],
    without: [
      'business development',
      'technical (writer|account manager)',
      '(talent|learning|people) development',
    ],
  },
  finance: {
    words: [
      '(finance|financial|cfo|treasury|treasurer|accounting|accountant|controller|controlling|tax|fp and a)',
      '(finanz*|buchhalt*|finances|financier|financiere|comptab*|finanzas|financiero|financiera|contabil*|contable|finanza|finanziari*|financeir*|financien|financieel|finansow*|financni|finans*|ekonomi*|okonomi*|talous*)',
      '(οικονομικ*|финанс*|фінанс*|бухгалтер*)',
    ],
  },
  legal: {
    words: [
      '(legal|counsel|lawyer|attorney|solicitor|law|clo|company secretary|paralegal)',
      '(recht|rechts*|justiziar*|jurist*|juridique|avocat*|juridico|juridica|abogad*|legale|legali|avvocato|advogad*|juridisch|prawny|prawn*|pravni*|juridisk)',
      '(νομικ*|юрид*|юрист*)',
    ],
  },
  risk: {
    words: [
      '(risk|fraud|antifraud|risks)',
      '(risiko*|betrugs*|risques|fraude|riesgos|riesgo|frode|frodi|rischi|riscos|risicos|ryzyk*|rizik*|rizika|riskhantering|svindel)',
      '(κινδύνων|риск*|ризик*|фрод*)',
    ],
  },
  trading: {
    words: [
      '(trading|trader|traders|odds|bookmaking|bookmaker|sportsbook|oddsmaker|buchmacher*|quotenmacher*|quotista|bukmacher*|bookmakers|букмекер*)',
    ],
  },
  games: {
    words: [
      '(game|games|slots|live casino|casino games|game studio|spiele|jeux|juegos|giochi|jogos|gier|spel|spil|spill|игр*|ігр*)',
    ],
    without: ['(fair|responsible|safer|online) (game|games)'],
  },
  data: {
    words: [
      '(data|analytics|bi|business intelligence|insights|data science|daten*|donnees|datos|dati|dados|danych|dat|аналитик*|аналітик*|данных)',
    ],
    without: ['data (protection|privacy|centre|center|entry)'],
  },
  security: {
    words: [
      '(security|ciso|infosec|cybersecurity|data protection|dpo|privacy|sicherheit*|datenschutz*|securite|seguridad|sicurezza|seguranca|bezpieczenstwa|bezpecnost*|sakerhet*|sikkerhed*|безопасност*|безпек*)',
    ],
    without: ['social security'],
  },
  sales: {
    words: [
      '(sales|commercial|business development|partnerships|partnership|account manager|account executive|account director|account management|key account|revenue|bizdev)',
      '(vertrieb*|verkauf*|ventes|comercial|ventas|vendite|commerciale|vendas|verkoop|sprzedazy|handlow*|obchod*|forsaljning*|salgs*|salg|myynti*|vanzari)',
      '(πωλήσεων|εμπορικ*|продаж*|коммерч*|комерц*|commercieel)',
    ],
  },
  customer_service: {
    words: [
      '(customer|customers|player support|vip|support|retention|player experience|client services)',
      '(kundenservice|kundendienst|kundenbetreu*|client|clientele|clients|atencion al cliente|clientes|clienti|klantenservice|obslugi klienta|zakaznick*|kundtjanst|kundservice|kundeservice|asiakaspalvelu)',
      '(клиент*|клієнт*|поддержк*|підтримк*|πελατών)',
    ],
  },
  people: {
    words: [
      '(hr|human resources|human resource|people|talent|recruitment|recruiter|recruiting|chro|personal|personalleit*|personalchef*)',
      '(ressources humaines|rh|recursos humanos|risorse umane|personeelszaken|kadr|hr ove|lidskych zdroju|resurse umane|персонал*|кадр*|ανθρώπινου)',
    ],
    without: ['personal (assistant|trainer|banker)'],
  },
  operations: {
    words: [
      '(operations|operating|operational|ops|coo|project|program|programme|delivery|procurement)',
      '(betrieb*|exploitation|operaciones|operazioni|operativo|operativa|operacoes|operationele|operacyjn*|provoz*|drift*|operasjon*|operatiuni|projekt*|projet|proyectos|progetto)',
      '(λειτουργιών|операцион*|операційн*|проект*|проєкт*)',
    ],
  },
  strategy: {
    words: [
      '(strategy|strategic|corporate development|mergers and acquisitions|strategie|estrategia|strategia|стратег*)',
    ],
  },
} as const satisfies Record<string, { words: readonly string[]; without?: readonly string[] }>

/** Of titles that name no other: those who run a company or own it. */
export const generalManagement = 'general_management'

export type JobFunction = keyof typeof functionWords | typeof generalManagement

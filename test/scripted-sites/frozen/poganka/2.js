reg.push('<p>Befizetés: Visa, Mastercard, SimplePay</p><footer>Üzemeltető: Vöcsök Játék Zrt., engedélyszám SZTFH-11207-2/2024.</footer>')

export default { h: "Nowy bukmacher internetowy", p: "Grąszka – zakłady bukmacherskie online. Startujemy wkrótce!", b: "Powiadom mnie" }

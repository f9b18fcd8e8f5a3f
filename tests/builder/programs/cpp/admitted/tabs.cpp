#include	<iostream>
using namespace std;

int main()
{
	int	n, mix = 2;
	cin >> n;
	for	(int i = 0;	i < n;	i++)
		mix	=	mix * 3 % 211 + i;
	cout << '\t' << mix * 10;
}